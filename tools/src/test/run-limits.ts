import { availableParallelism, totalmem } from 'node:os';

/** Test files wait for servers, processes and time limits for about half of their time. */
const WORKERS = availableParallelism() + 2;
/**
 * A worker that is replaced loads the product again, which takes seconds of a processor: this is done only if memory
 * requires it.
 */
const WORKER_MB = Math.min(2048, Math.floor(totalmem() / 2 ** 20 / 2 / WORKERS));

/**
 * Limits of every run of tests. Jest reads them only from the root configuration: a run of one project gets them as
 * arguments.
 */
export const RUN_LIMITS = {
  // Processes take seconds to start on a busy machine, breakers and retries run on real, shortened times; tests that
  // hang are still ended.
  testTimeout: 120_000,
  // Modules that a test file loaded stay in the memory of the process that ran it. With a limit, files run in workers
  // that are replaced when their memory exceeds it; without one, a machine of two cores runs every file in one process.
  workerIdleMemoryLimit: `${WORKER_MB}MB`,
  maxWorkers: WORKERS,
};
