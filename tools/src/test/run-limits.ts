import { availableParallelism, totalmem } from 'node:os';
import { scaleLimit } from '@steward/testing/machine-pace';
import { measurePace } from './machine-pace.ts';

const CORES = availableParallelism();
const PACE = measurePace();
/** Pace from which processors are never idle: more workers would only delay each other's tests. */
const SLOW_PACE = 1.7;
/**
 * Test files spend about half of their time waiting for servers, processes and time limits: with two more workers than
 * processors, two processors are idle for a fifth of the run. A worker and the processes of its file take about 2 GB.
 */
const WORKERS =
  PACE < SLOW_PACE ? Math.max(CORES + 2, Math.min(2 * CORES + 2, Math.floor(totalmem() / 2 ** 31))) : CORES + 1;
/**
 * Memory limit of a worker. When a worker is replaced, it loads the product again, which takes seconds of CPU time;
 * therefore this is done only if memory requires it.
 */
const WORKER_MB = Math.min(2048, Math.floor(totalmem() / 2 ** 20 / 2 / WORKERS));

/**
 * Limits that apply to every test run. Jest reads these options only from the root configuration, so a run of one
 * project gets them as arguments.
 */
export const RUN_LIMITS = {
  // Processes take seconds to start on a busy machine, and circuit breakers and retries run with real, though
  // shortened, times; tests that hang are still ended.
  testTimeout: scaleLimit(120_000),
  // Modules loaded by a test file stay in the memory of the process that ran it. With a limit, files run in workers
  // that are replaced when their memory exceeds it; without one, a machine with two cores would run every file in one
  // process.
  workerIdleMemoryLimit: `${WORKER_MB}MB`,
  maxWorkers: WORKERS,
};
