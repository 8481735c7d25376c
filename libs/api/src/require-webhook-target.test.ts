import type { ResolveName } from '@steward/egress';
import { requirePushTarget, requireTarget, type WebhookSettings } from './require-webhook-target.ts';

const settings = {
  webhookBlockPrivateTargets: true,
  webhookAllowedPrivateCidrs: ['10.20.0.0/16'],
  pushAllowedPrivateCidrs: ['10.30.0.0/16'],
  webhookAllowedPorts: [],
} as unknown as WebhookSettings;
const check = (addresses: readonly string[] | Error, refuse = requireTarget, given = settings) => {
  const resolve: ResolveName = () =>
    addresses instanceof Error ? Promise.reject(addresses) : Promise.resolve(addresses);
  return refuse('https://receiver.example.test/hook', { settings: given }, resolve).then(
    () => 'accepted',
    (error: { code: string; detail: { reason: string } }) => `${error.code} ${error.detail.reason}`,
  );
};

describe('the target of an endpoint while private targets are blocked', () => {
  it.each<[string, readonly string[] | Error, string]>([
    ['only public addresses', ['1.1.1.1', '2606:4700::1111'], 'accepted'],
    ['an address of the allow-list', ['10.20.1.1'], 'accepted'],
    ['a private address among public ones', ['1.1.1.1', '10.0.0.1'], 'target_blocked private'],
    ['a private address embedded in IPv6', ['1.1.1.1', '::ffff:169.254.169.254'], 'target_blocked link_local'],
    ['a private address behind NAT64', ['64:ff9b::7f00:1'], 'target_blocked loopback'],
    ['no address', [], 'target_blocked unresolvable'],
    ['a DNS error', new Error('SERVFAIL'), 'target_blocked unresolvable'],
  ])('is accepted only if every address of its name is allowed: %s (HOOK-6)', async (_name, addresses, answer) => {
    expect(await check(addresses)).toBe(answer);
  });
});

describe('the address of a push service', () => {
  it.each<[string, readonly string[] | Error, string]>([
    ['only public addresses', ['1.1.1.1', '2606:4700::1111'], 'accepted'],
    ['an address of its own allow-list', ['10.30.1.1'], 'accepted'],
    ['an address of the allow-list of endpoints', ['10.20.1.1'], 'target_blocked private'],
    ['a private address among public ones', ['1.1.1.1', '10.0.0.1'], 'target_blocked private'],
    ['loopback', ['127.0.0.1'], 'target_blocked loopback'],
    ['no address', [], 'accepted'],
    ['a DNS error', new Error('SERVFAIL'), 'accepted'],
  ])(
    'is public, whether or not private targets of endpoints are blocked: %s (NTC-14)',
    async (_name, addresses, answer) => {
      for (const webhookBlockPrivateTargets of [true, false])
        expect(await check(addresses, requirePushTarget, { ...settings, webhookBlockPrivateTargets })).toBe(answer);
    },
  );
});
