/** Time for the start, and for the counts at the end. */
const AROUND_SECONDS = 240;
/** Time of a scenario besides its fault: to create an account, and to wait until everything has arrived. */
const BESIDE_SECONDS = 10;
const LEAST_SECONDS = 4;

/** Returns how long each fault lasts, so that all pairs take about this time. */
export function planSeconds(minutes: number, pairs: number): number {
  return Math.max(LEAST_SECONDS, (minutes * 60 - AROUND_SECONDS) / pairs - BESIDE_SECONDS);
}

/** Returns the seed of one pair, which is the same whatever else is tried in the run. */
export function seedPair(seed: number, scenario: string, fault: string): number {
  return [...`${seed} ${scenario} ${fault}`].reduce(
    (hash, sign) => (hash * 31 + sign.charCodeAt(0)) % 2_147_483_647,
    7,
  );
}
