import { hashWebhookSecret, type WebhookFlow } from '@steward/slice-flows';
import { createKnownFlows } from './known-flows.ts';

const buildFlow = (id: string, more: Partial<WebhookFlow> = {}): WebhookFlow => ({
  id,
  account_id: 'account',
  name: 'x',
  is_enabled: true,
  trigger: 'webhook',
  webhook_config: {},
  webhook_secret_hash: hashWebhookSecret('right'),
  ...more,
});
const address = (flowId: string, secret = 'right') => ({ flowId, secretHash: hashWebhookSecret(secret) });

describe('known flows', () => {
  it('are recalled by the right secret alone, however the id is written', () => {
    const flows = createKnownFlows();
    const flow = buildFlow('ab');
    flows.remember(flow);
    expect(flows.recall(address('ab'))).toBe(flow);
    expect(flows.recall(address('AB'))).toBe(flow);
    expect(flows.recall(address('ab', 'wrong'))).toBeUndefined();
    expect(flows.recall(address('cd'))).toBeUndefined();
  });

  it.each<[string, Partial<WebhookFlow>]>([
    ['is disabled', { is_enabled: false }],
    ['has no secret', { webhook_secret_hash: null }],
    ['looks into the payload for repeats', { webhook_config: { dedupe_path: 'id' } }],
  ])('do not include one that %s', (_what, more) => {
    const flows = createKnownFlows();
    flows.remember(buildFlow('ab', more));
    expect(flows.recall(address('ab'))).toBeUndefined();
  });

  it('are forgotten when they changed, unless the change was seen already', () => {
    const flows = createKnownFlows();
    const [old, rotated] = [buildFlow('ab'), buildFlow('ab', { webhook_secret_hash: hashWebhookSecret('new') })];
    flows.remember(old);
    flows.remember(rotated);
    flows.forget(old);
    expect(flows.recall(address('ab', 'new'))).toBe(rotated);
    expect(flows.recall(address('ab'))).toBeUndefined();
    flows.forget(rotated);
    expect(flows.recall(address('ab', 'new'))).toBeUndefined();
  });

  it('are a bounded number', () => {
    const flows = createKnownFlows();
    for (let n = 0; n <= 1000; n += 1) flows.remember(buildFlow(`${n}`));
    expect(flows.recall(address('0'))).toBeUndefined();
    expect(flows.recall(address('1'))).toBeDefined();
    expect(flows.recall(address('1000'))).toBeDefined();
  });
});
