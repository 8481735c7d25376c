import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { verifyWebhook, type VerifyOptions } from './verify-webhook.ts';
import { WebhookVerificationError } from './verification-error.ts';

const SECRET = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=';
const OLDER = 'whsec_ISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0A=';
const NOW = 1_790_000_000;
const BODY = JSON.stringify({
  id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b13',
  type: 'policy.denied',
  version: '1',
  occurred_at: '2026-11-20T09:00:00.000Z',
  account_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b00',
  data: { tool_name: 'größer' },
});
const at = (seconds: number): VerifyOptions => ({ now: () => seconds * 1000 });

const hexMac = (secret: string, time: number | string, body: string) =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
const header = (secret = SECRET, time = NOW, body = BODY) => `t=${time},v1=${hexMac(secret, time, body)}`;
const service = (value: string) => ({ 'x-service-signature': value });

function standard(secret: string | Buffer, time = NOW, body = BODY, id = 'msg-1') {
  const mac = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1,${mac}` };
}
const KEY = Buffer.from(SECRET.slice(6), 'base64');

/** Returns the reason of the refusal; fails if there was none. */
function refusal(...parameters: Parameters<typeof verifyWebhook>): string {
  try {
    verifyWebhook(...parameters);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('verifyWebhook', () => {
  it.each([
    ['a string', BODY],
    ['a Buffer', Buffer.from(BODY)],
    ['a Uint8Array', new TextEncoder().encode(BODY)],
  ])('returns the event of a correctly signed body that is passed as %s', (_name, body) => {
    const event = verifyWebhook(body, service(header()), SECRET, at(NOW));
    expect(event).toEqual(JSON.parse(BODY));
  });

  it.each([
    ['as Node gives them', service(header())],
    ['in the spelling of the sender', { 'X-Service-Signature': header() }],
    ['as lists of values', { 'x-service-signature': [header()] }],
    ['as a Headers object', new Headers(service(header()))],
  ])('reads headers %s', (_name, headers) => {
    expect(verifyWebhook(BODY, headers, SECRET, at(NOW)).type).toBe('policy.denied');
  });

  it.each([
    ['of the service', service(header())],
    ['of Standard Webhooks', standard(KEY)],
  ])('accepts a secret without its prefix for the headers %s', (_name, headers) => {
    const bare = SECRET.replace('whsec_', '');
    expect(verifyWebhook(BODY, headers, bare, at(NOW)).id).toBeDefined();
    expect(verifyWebhook(BODY, headers, [OLDER, bare], at(NOW)).id).toBeDefined();
    expect(refusal(BODY, headers, OLDER.replace('whsec_', ''), at(NOW))).toBe('signature_mismatch');
  });

  it('accepts a secret chosen by the user, which has no prefix', () => {
    expect(verifyWebhook(BODY, service(header('of my own')), 'of my own', at(NOW)).id).toBeDefined();
    expect(refusal(BODY, service(header('of my own')), 'whsec_of my own', at(NOW))).toBe('signature_mismatch');
  });

  it('accepts either secret of a rotation, for any signing secret and in any order', () => {
    const both = `t=${NOW},v1=${hexMac(SECRET, NOW, BODY)},v1=${hexMac(OLDER, NOW, BODY)}`;
    for (const secrets of [SECRET, OLDER, [SECRET, OLDER], [OLDER, SECRET]])
      expect(verifyWebhook(BODY, service(both), secrets, at(NOW)).id).toBeDefined();
    expect(verifyWebhook(BODY, service(header(OLDER)), [SECRET, OLDER], at(NOW)).id).toBeDefined();
  });

  it('ignores unknown parts of the header', () => {
    const extended = `v0=zz,${header()},v2=${'a'.repeat(64)},empty`;
    expect(verifyWebhook(BODY, service(extended), SECRET, at(NOW)).id).toBeDefined();
  });

  it.each([
    ['no header', {}, 'header_missing'],
    ['an empty header', service(' '), 'header_missing'],
    ['no time', service(`v1=${hexMac(SECRET, NOW, BODY)}`), 'header_malformed'],
    ['two times', service(`t=${NOW},${header()}`), 'header_malformed'],
    ['a time that is no number', service(`t=12a,v1=${hexMac(SECRET, '12a', BODY)}`), 'header_malformed'],
    ['a negative time', service(`t=-5,v1=${hexMac(SECRET, -5, BODY)}`), 'header_malformed'],
    ['no v1', service(`t=${NOW},v2=${hexMac(SECRET, NOW, BODY)}`), 'header_malformed'],
    ['upper-case digits', service(`t=${NOW},v1=${'A'.repeat(64)}`), 'header_malformed'],
    ['a signature cut short', service(header().slice(0, -2)), 'header_malformed'],
    ['another secret', service(header(OLDER)), 'signature_mismatch'],
    ['a later time put into the header', service(header().replace(String(NOW), String(NOW + 1))), 'signature_mismatch'],
    ['a repeated header with another signature', service(`${header()}, ${header(OLDER)}`), 'header_malformed'],
  ])('refuses %s', (_name, headers, code) => {
    expect(refusal(BODY, headers, SECRET, at(NOW))).toBe(code);
  });

  it.each([
    [NOW + 300, undefined],
    [NOW + 301, 'timestamp_too_old'],
    [NOW - 300, undefined],
    [NOW - 301, 'timestamp_in_future'],
  ])('checks the timestamp at second %i: %s', (now, code) => {
    if (code === undefined) expect(verifyWebhook(BODY, service(header()), SECRET, at(now)).id).toBeDefined();
    else expect(refusal(BODY, service(header()), SECRET, at(now))).toBe(code);
  });

  it('accepts a different tolerance, and refuses one that is not a number', () => {
    const late = { toleranceSeconds: 10, now: () => (NOW + 11) * 1000 };
    expect(refusal(BODY, service(header()), SECRET, late)).toBe('timestamp_too_old');
    expect(() => verifyWebhook(BODY, service(header()), SECRET, { ...late, toleranceSeconds: Number.NaN })).toThrow(
      RangeError,
    );
  });

  it.each([
    ['an empty secret', ''],
    ['no secret', []],
    ['one empty secret among others', [SECRET, '']],
    ['a variable that is not set', undefined as unknown as string],
  ])('refuses every signature with %s', (_name, secrets) => {
    expect(refusal(BODY, service(header('')), secrets, at(NOW))).toBe('secret_missing');
  });

  it('reports that a body has already been parsed', () => {
    expect(refusal(JSON.parse(BODY) as string, service(header()), SECRET, at(NOW))).toBe('body_not_raw');
    const again = JSON.stringify(JSON.parse(BODY), null, 1);
    expect(refusal(again, service(header()), SECRET, at(NOW))).toBe('signature_mismatch');
  });

  it.each([
    ['no JSON', 'not json', 'body_not_json'],
    ['nothing', '', 'body_not_json'],
    ['a list', '[]', 'body_not_event'],
    ['null', 'null', 'body_not_event'],
    ['an object without data', '{"id":"a","type":"b"}', 'body_not_event'],
  ])('refuses a correctly signed body that contains %s', (_name, body, code) => {
    expect(refusal(body, service(header(SECRET, NOW, body)), SECRET, at(NOW))).toBe(code);
  });

  describe('with only the Standard Webhooks headers', () => {
    it('accepts them, signed with the decoded secret', () => {
      expect(verifyWebhook(BODY, standard(KEY), SECRET, at(NOW)).type).toBe('policy.denied');
    });

    it('accepts a secret chosen by a client, which is used unchanged', () => {
      expect(verifyWebhook(BODY, standard('my own secret'), 'my own secret', at(NOW)).id).toBeDefined();
      const short = 'whsec_c2hvcnQ=';
      expect(verifyWebhook(BODY, standard(short), short, at(NOW)).id).toBeDefined();
    });

    it('checks all signatures of a known version', () => {
      const { 'webhook-signature': own, ...rest } = standard(KEY);
      const several = { ...rest, 'webhook-signature': `v1a,xyz ${standard('other')['webhook-signature']} ${own}` };
      expect(verifyWebhook(BODY, several, SECRET, at(NOW)).id).toBeDefined();
    });

    it.each([
      ['no id', { 'webhook-id': undefined }, 'header_missing'],
      ['no time', { 'webhook-timestamp': undefined }, 'header_missing'],
      ['a time that is no number', { 'webhook-timestamp': 'noon' }, 'header_malformed'],
      ['no signature it knows', { 'webhook-signature': 'v1a,abc' }, 'header_malformed'],
      ['another id', { 'webhook-id': 'msg-2' }, 'signature_mismatch'],
      ['another time', { 'webhook-timestamp': String(NOW + 1) }, 'signature_mismatch'],
    ])('refuses %s', (_name, change, code) => {
      expect(refusal(BODY, { ...standard(KEY), ...change }, SECRET, at(NOW))).toBe(code);
    });

    it('refuses them outside the tolerance', () => {
      expect(refusal(BODY, standard(KEY), SECRET, at(NOW + 301))).toBe('timestamp_too_old');
      expect(refusal(BODY, standard(KEY), SECRET, at(NOW - 301))).toBe('timestamp_in_future');
    });

    it('does not accept them in place of an invalid signature in the header of Steward', () => {
      const headers = { ...standard(KEY), ...service(header(OLDER)) };
      expect(refusal(BODY, headers, SECRET, at(NOW))).toBe('signature_mismatch');
    });
  });

  it('refuses a body with any single bit changed', () => {
    const signed = service(header());
    const bytes = Buffer.from(BODY);
    fc.assert(
      fc.property(fc.nat(bytes.byteLength - 1), fc.nat(7), (index, bit) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(index) ^ (1 << bit), index);
        expect(refusal(changed, signed, SECRET, at(NOW))).toBe('signature_mismatch');
      }),
    );
  });

  it('never accepts arbitrary headers, and never crashes on them', () => {
    const anything = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(anything, anything, anything, anything, (own, id, time, signature) => {
        const headers = {
          'x-service-signature': own,
          'webhook-id': id,
          'webhook-timestamp': time,
          'webhook-signature': signature,
        };
        expect(refusal(BODY, headers, SECRET, at(NOW))).toMatch(/^(header|signature)_/);
      }),
    );
  });
});
