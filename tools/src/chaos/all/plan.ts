/** Time for the start of the suite and for the counts at the end. */
const AROUND_SECONDS = 240;
/**
 * Time that a scenario takes in addition to its fault: it creates an account and waits until everything has arrived.
 */
const BESIDE_SECONDS = 10;
const LEAST_SECONDS = 4;

/** Returns the duration of each fault with which all pairs together take about this time. */
export function planSeconds(minutes: number, pairs: number): number {
  return Math.max(LEAST_SECONDS, (minutes * 60 - AROUND_SECONDS) / pairs - BESIDE_SECONDS);
}

/** Returns the seed of one pair, which does not depend on the other pairs of the run. */
export function seedPair(seed: number, scenario: string, fault: string): number {
  return [...`${seed} ${scenario} ${fault}`].reduce(
    (hash, sign) => (hash * 31 + sign.charCodeAt(0)) % 2_147_483_647,
    7,
  );
}
