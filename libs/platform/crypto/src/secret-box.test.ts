import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { deriveKeys } from './key-ring.ts';
import { createDerivedSecretBox, createSecretBox } from './secret-box.ts';

const box = createSecretBox('a secret key of the deployment', 'webhook-secret');

describe('encrypted secrets', () => {
  it('can be decrypted with the same key, purpose and context', () => {
    const text = 'whsec_ä😀';
    expect(box.open(box.seal(text, 'row 1'), 'row 1')).toBe(text);
    expect(box.open(box.seal('', 'row 1'), 'row 1')).toBe('');
  });

  it('differ for the same secret each time and never contain it', () => {
    const sealed = box.seal('whsec_canary', 'row 1');
    expect(sealed.equals(box.seal('whsec_canary', 'row 1'))).toBe(false);
    expect(sealed.toString('latin1')).not.toContain('canary');
  });

  it('cannot be decrypted in another row, under another key or for another purpose', () => {
    const sealed = box.seal('whsec_canary', 'row 1');
    expect(() => box.open(sealed, 'row 2')).toThrow();
    expect(() => createSecretBox('another key', 'webhook-secret').open(sealed, 'row 1')).toThrow();
    expect(() => createSecretBox('a secret key of the deployment', 'other').open(sealed, 'row 1')).toThrow();
  });

  it('cannot be decrypted if a single byte was altered or removed', () => {
    const sealed = box.seal('whsec_canary', 'row 1');
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => box.open(altered, 'row 1')).toThrow();
      expect(() => box.open(sealed.subarray(0, index), 'row 1')).toThrow();
    }
  });
});

describe('a key ring', () => {
  const former = 'the key before the change 0123456789';
  const current = 'the key after the change 9876543210';
  const purpose = 'webhook-secret';

  it('decrypts with an earlier key, and encrypts with the current one', () => {
    const ring = createSecretBox([current, former], purpose);
    expect(ring.open(createSecretBox(former, purpose).seal('canary', 'row 1'), 'row 1')).toBe('canary');
    expect(createSecretBox(current, purpose).open(ring.seal('canary', 'row 1'), 'row 1')).toBe('canary');
  });

  it('recognizes values encrypted with the current key by their first bytes', () => {
    const ring = createSecretBox([current, former], purpose);
    expect(ring.seal('canary', 'row 1').subarray(0, 5)).toEqual(ring.prefix);
    expect(createSecretBox(former, purpose).seal('canary', 'row 1').subarray(0, 5)).not.toEqual(ring.prefix);
  });

  it('names a missing key by its id', () => {
    const sealed = createSecretBox(former, purpose).seal('canary', 'row 1');
    const id = sealed.subarray(1, 5).toString('hex');
    expect(() => createSecretBox(current, purpose).open(sealed, 'row 1')).toThrow(`the key ${id}, which is not`);
  });

  it('decrypts values encrypted before keys had ids', () => {
    // A value in the format of version 1, written by the previous release with the first key of these tests.
    const sealed = sealAsVersion1('a secret key of the deployment', purpose, 'canary', 'row 1');
    expect(createSecretBox(['another', 'a secret key of the deployment'], purpose).open(sealed, 'row 1')).toBe(
      'canary',
    );
    expect(() => createSecretBox('another', purpose).open(sealed, 'row 1')).toThrow();
    expect(() => box.open(sealed, 'row 2')).toThrow();
  });

  it('works identically for an app with only derived keys', () => {
    const derived = createDerivedSecretBox(deriveKeys([current, former], purpose));
    expect(derived.open(createSecretBox(former, purpose).seal('canary', 'row 1'), 'row 1')).toBe('canary');
    expect(derived.prefix).toEqual(createSecretBox(current, purpose).prefix);
  });
});

function sealAsVersion1(secretKey: string, purpose: string, text: string, context: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'steward-secret-box', purpose, 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), sealed]);
}
