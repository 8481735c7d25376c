import { createHmac } from 'node:crypto';

/** Enough that two credentials of an account never meet; half of a digest is half of an index. */
const LENGTH = 16;

/** Tells a credential again without telling what it is: under the key of its account, which no other account shares. */
export function fingerprintCredential(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest().subarray(0, LENGTH);
}
