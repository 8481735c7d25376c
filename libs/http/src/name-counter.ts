import { randomInt } from 'node:crypto';

/** Start value of hashes, random for each process, so that clients cannot choose names with the same hash. */
const SEED = randomInt(2 ** 32);
const FACTOR = randomInt(2 ** 28) * 8 + 5;
const HASH_BITS = 20;
/** Bit map of the hashes seen. All measurements share it, since each of them runs synchronously to its end. */
const SEEN = new Uint8Array(2 ** (HASH_BITS - 3));

/**
 * Counts different names by their hashes in a bit map: a set of names would cost as much as the parsing that this check
 * avoids.
 */
export class NameCounter {
  count = 0;
  readonly #seen = SEEN.fill(0);

  add(bytes: Buffer, start: number, end: number): void {
    let hash = SEED;
    for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), FACTOR);
    hash = Math.imul(hash ^ (hash >>> 15), FACTOR) >>> (32 - HASH_BITS);
    const seen = this.#seen;
    const [place, bit] = [hash >>> 3, 1 << (hash & 7)];
    if (((seen[place] ?? 0) & bit) !== 0) return;
    seen[place] = (seen[place] ?? 0) | bit;
    this.count += 1;
  }
}
