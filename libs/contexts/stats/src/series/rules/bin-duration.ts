/** Bins grow by a fifth, as `stats.bin` of the database makes them. */
const GROWTH = 1.2;

/** Milliseconds in the middle of a bin: at most 10 percent from each duration in it. */
export function durationOfBin(bin: number): number {
  return bin <= 1 ? 1 : Number((GROWTH ** (bin - 1.5)).toPrecision(4));
}
