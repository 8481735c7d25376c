import { createHash } from 'node:crypto';

/**
 * Returns a hash of the address of a login, so that the address can be recognized but not read; the hash includes the
 * user, so that no precomputed table of addresses can be used.
 */
export function hashAddress(userId: string, addressKey: string): Buffer {
  return createHash('sha256').update(`${userId} ${addressKey}`).digest();
}
