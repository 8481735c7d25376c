import { createSecretBox } from '@steward/crypto';
import { cacheSecrets } from './cache-secrets.ts';

const box = createSecretBox('a-secret-key-for-tests-only-0123456789', 'webhook-endpoint');

describe('the cache of decrypted secrets', () => {
  it('decrypts each secret once; another ciphertext or endpoint has another entry', () => {
    let calls = 0;
    const cache = cacheSecrets({
      open(sealed, context) {
        calls += 1;
        return box.open(sealed, context);
      },
    });
    const [first, rotated] = [box.seal('first', 'a'), box.seal('second', 'a')];
    expect([cache.open(first, 'a'), cache.open(first, 'a'), cache.open(rotated, 'a')]).toEqual([
      'first',
      'first',
      'second',
    ]);
    expect(calls).toBe(2);
    expect(() => cache.open(first, 'b')).toThrow();
    expect(() => cache.open(first, 'b')).toThrow();
    expect(calls).toBe(4);
  });

  it('is limited in size', () => {
    const cache = cacheSecrets({ open: (sealed) => sealed.toString() });
    for (let index = 0; index < 10_000; index += 1) {
      expect(cache.open(Buffer.from(String(index)), 'a')).toBe(String(index));
    }
  });
});
