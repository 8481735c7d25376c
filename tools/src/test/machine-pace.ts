import { spawnSync } from 'node:child_process';
import { MACHINE_PACE, readPace } from '@steward/testing/machine-pace';

/** Time in which a usual machine starts a Node process that does nothing. */
const USUAL_START_MS = 40;
const STARTS = 5;
const LONGEST_START_MS = 30_000;
/** Pace beyond which a run would take hours, whatever its limits. */
const SLOWEST = 4;

/**
 * Returns the pace of the machine (`readPace`), and stores it for the processes of the run. It is measured by starts of
 * processes: tests start thousands, and machines that virtualize differ most in them. The fastest of several starts
 * counts, because other work may delay one.
 */
export function measurePace(): number {
  process.env[MACHINE_PACE] ??= describePace(Array.from({ length: STARTS }, measureStart));
  return readPace();
}

function measureStart(): number {
  const startedAt = performance.now();
  // Options of the environment may attach a debugger or load modules.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status } = spawnSync(process.execPath, ['--eval', '0'], { env, stdio: 'ignore', timeout: LONGEST_START_MS });
  if (status !== 0) throw new Error('a process of Node that does nothing cannot be started');
  return performance.now() - startedAt;
}

/** Returns the pace, with one decimal, for the durations of some starts in milliseconds. */
export function describePace(startsMs: readonly number[]): string {
  return Math.min(SLOWEST, Math.max(1, Math.min(...startsMs) / USUAL_START_MS)).toFixed(1);
}
