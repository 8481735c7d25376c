import { randomFillSync } from 'node:crypto';

/**
 * Buffer of random bytes for many ids at once, since one system call per id took 4 % of the gateway's time while it
 * accepted triggers.
 */
export const entropy = Buffer.alloc(16 * 256);
let used = entropy.length;

/**
 * Returns the offset in `entropy` of bytes that are not used by any other caller. The bytes are valid until the next
 * call.
 */
export function takeEntropy(bytes: number): number {
  if (used + bytes > entropy.length) {
    randomFillSync(entropy);
    used = 0;
  }
  used += bytes;
  return used - bytes;
}
