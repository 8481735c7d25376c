/** Factor by which each bin is larger than the previous one, as in `stats.bin` of the database. */
const GROWTH = 1.2;

/**
 * Returns the duration in the middle of a bin, in milliseconds; for durations of at least 1 ms, this value differs by
 * at most 10 percent from each duration in the bin.
 */
export function durationOfBin(bin: number): number {
  return bin <= 1 ? 1 : Number((GROWTH ** (bin - 1.5)).toPrecision(4));
}
