import { createHmac } from 'node:crypto';

/**
 * Long enough that two credentials of an account never collide; half of a digest also makes the index half as large.
 */
const LENGTH = 16;

/** Identifies a credential without revealing it: hashed with the key of its account, which no other account shares. */
export function fingerprintCredential(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest().subarray(0, LENGTH);
}
