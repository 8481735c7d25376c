import type { SecretBox } from '@steward/runtime';

const MAX_REMEMBERED = 5000;

/**
 * Opens each sealed secret once: an endpoint's secret is the same for thousands of posts, and opening it is a tenth of what a
 * post costs. Keyed by the sealed bytes, so a rotated secret is another entry and nothing has to be invalidated. The oldest
 * entry leaves when there are too many.
 */
export function rememberOpened(box: SecretBox): Pick<SecretBox, 'open'> {
  const opened = new Map<string, string>();
  return {
    open(ciphertext, context) {
      const key = `${context} ${ciphertext.toString('latin1')}`;
      const known = opened.get(key);
      if (known !== undefined) return known;
      const secret = box.open(ciphertext, context);
      const [oldest] = opened.keys();
      if (opened.size >= MAX_REMEMBERED && oldest !== undefined) opened.delete(oldest);
      opened.set(key, secret);
      return secret;
    },
  };
}
