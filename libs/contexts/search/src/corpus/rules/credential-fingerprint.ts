import { createHmac } from 'node:crypto';

/**
 * Length of a fingerprint in bytes: half of a digest, which is long enough to distinguish the credentials of an account
 * and halves the size of the index.
 */
const LENGTH = 16;

/** Returns a keyed hash that identifies a credential without revealing it; each account has its own key. */
export function fingerprintCredential(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest().subarray(0, LENGTH);
}
