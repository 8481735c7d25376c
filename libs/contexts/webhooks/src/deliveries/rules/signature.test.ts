import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { buildSecret, buildSecretHint, readStandardKey, signServiceHeader, signStandardHeader } from './signature.ts';

const secret = buildSecret(Buffer.alloc(32, 7));
const body = Buffer.from('{"id":"x"}');

describe('signature', () => {
  it('consists of t and the hex HMAC of "<t>.<raw body>", with the whole secret string as key', () => {
    const expected = createHmac('sha256', secret).update('1700000000.{"id":"x"}').digest('hex');
    expect(signServiceHeader({ secrets: [secret], timestamp: 1_700_000_000, body })).toBe(
      `t=1700000000,v1=${expected}`,
    );
  });

  it('has one v1 part per secret, newest first (HOOK-17)', () => {
    const older = buildSecret(Buffer.alloc(32, 8));
    const header = signServiceHeader({ secrets: [secret, older], timestamp: 1, body });
    const alone = (key: string) => signServiceHeader({ secrets: [key], timestamp: 1, body }).split(',')[1];
    expect(header.split(',')).toEqual(['t=1', alone(secret), alone(older)]);
    expect(signStandardHeader({ secrets: [secret, older], eventId: 'e', timestamp: 1, body }).split(' ')).toHaveLength(
      2,
    );
  });

  it('signs raw bytes with any content', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), (bytes, timestamp) => {
        const text = Buffer.concat([Buffer.from(`${timestamp}.`), bytes]);
        const expected = createHmac('sha256', secret).update(text).digest('hex');
        expect(signServiceHeader({ secrets: [secret], timestamp, body: bytes })).toBe(`t=${timestamp},v1=${expected}`);
      }),
    );
  });

  it.each([
    ['a generated secret', secret, Buffer.alloc(32, 7)],
    ['a secret that is too short once decoded', 'whsec_c2hvcnQ=', Buffer.from('whsec_c2hvcnQ=')],
    ['base64url', 'whsec_--__--__--__--__--__--__--__--__', Buffer.from('whsec_--__--__--__--__--__--__--__--__')],
    ['free text', 'my own secret', Buffer.from('my own secret')],
  ])('reads the Standard Webhooks key of %s', (_name, text, key) => {
    expect(readStandardKey(text)).toEqual(key);
  });

  it('generates secrets of the documented form and shows only their last four characters (HOOK-3)', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(buildSecretHint(secret)).toBe(secret.slice(-4));
  });
});
