import { createHash } from 'node:crypto';

/**
 * Hash of a login address, which can be recognized but not read: it includes the user, so that no precomputed table of
 * addresses applies.
 */
export function hashAddress(userId: string, addressKey: string): Buffer {
  return createHash('sha256').update(`${userId} ${addressKey}`).digest();
}
