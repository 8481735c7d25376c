import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets at rest under a key derived from `SECRET_KEY`. */
export interface SecretBox {
  /** `context` (for example the row id) is authenticated: a ciphertext moved to another row does not open. */
  seal(plaintext: string, context: string): Buffer;
  /** @throws when the key changed, the bytes were altered or the context differs. */
  open(ciphertext: Buffer, context: string): string;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM; layout: version byte, nonce, tag, ciphertext. `purpose` separates the keys of different kinds of secret. */
export function createSecretBox(secretKey: string, purpose: string): SecretBox {
  // A key object: with a Buffer each open takes 14 us instead of 3 (Node 24.21).
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, 'steward-secret-box', purpose, 32)));
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealed]);
    },
    open(ciphertext, context) {
      if (ciphertext[0] !== VERSION) throw new Error('unknown secret format');
      const nonce = ciphertext.subarray(1, 1 + NONCE_BYTES);
      const tag = ciphertext.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
      const sealed = ciphertext.subarray(1 + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
    },
  };
}
