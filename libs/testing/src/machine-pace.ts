/** Name of the variable with the pace of the machine, which `npm test` measures before a run. */
export const MACHINE_PACE = 'STEWARD_TEST_MACHINE_PACE';

/** Returns how many times longer than on a usual machine work takes here, at least 1. */
export function readPace(): number {
  return Math.max(1, Number(process.env[MACHINE_PACE] ?? 1) || 1);
}

/**
 * Returns the time after which something is ended because it hangs, in whole milliseconds: the time on a usual machine,
 * multiplied by the pace. Bounds that a test proves are not scaled.
 */
export function scaleLimit(usualMs: number): number {
  return Math.round(usualMs * readPace());
}
