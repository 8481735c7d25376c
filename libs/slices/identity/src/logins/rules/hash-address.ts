import { createHash } from 'node:crypto';

/** Where somebody logged in from, to be recognised and not to be read: with the user in it, no table of addresses fits all. */
export function hashAddress(userId: string, addressKey: string): Buffer {
  return createHash('sha256').update(`${userId} ${addressKey}`).digest();
}
