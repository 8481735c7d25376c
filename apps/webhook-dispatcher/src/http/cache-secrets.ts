import type { SecretBox } from '@steward/crypto';
import { LRUCache } from 'lru-cache';

/**
 * Opens a sealed secret or address once instead of once per post (decryption was a tenth of this process's work). Keyed by the
 * ciphertext, so a rotated secret is another entry and no invalidation is needed. A secret that does not open is not kept.
 */
export function cacheSecrets(secretBox: Pick<SecretBox, 'open'>): Pick<SecretBox, 'open'> {
  const opened = new LRUCache<string, string>({ max: 8000 });
  return {
    open(sealed, context) {
      const key = `${context} ${sealed.toString('latin1')}`;
      const known = opened.get(key);
      if (known !== undefined) return known;
      const secret = secretBox.open(sealed, context);
      opened.set(key, secret);
      return secret;
    },
  };
}
