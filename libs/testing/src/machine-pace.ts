/** Name of the variable with the pace of the machine, which `npm test` measures before a run. */
export const MACHINE_PACE = 'STEWARD_TEST_MACHINE_PACE';

/**
 * Returns how many times longer than on a usual machine work takes here, at least 1. Limits that end what hangs are
 * multiplied by it; bounds that a test proves are not.
 */
export function readPace(): number {
  return Math.max(1, Number(process.env[MACHINE_PACE] ?? 1));
}
