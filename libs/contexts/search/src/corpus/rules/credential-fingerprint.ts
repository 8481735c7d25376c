import { createHmac } from 'node:crypto';

/** Long enough that two credentials of an account never collide; half of a digest also halves the size of the index. */
const LENGTH = 16;

/** Identifies a credential without revealing it: it is hashed with a key that belongs only to its account. */
export function fingerprintCredential(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest().subarray(0, LENGTH);
}
