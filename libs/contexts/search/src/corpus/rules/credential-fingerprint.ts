import { createHmac } from 'node:crypto';

/** Long enough that two credentials of an account never collide; half a digest also halves the index. */
const LENGTH = 16;

/** Recognizes a credential without revealing it: under the key of its account, which no other account shares. */
export function fingerprintCredential(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest().subarray(0, LENGTH);
}
