import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Every project's tests in one run: one pool of workers, one set of servers. */
export default {
  // Processes take seconds to start on a busy machine, breakers and retries run on real, shortened times; what hangs still
  // ends. Here, because a project's own timeout is not heard when several projects run together.
  testTimeout: 120_000,
  // What a test file loaded as ES modules stays in the memory of the process that ran it. With a limit, files run in workers
  // that are replaced when they have grown past it; without one, a machine of two cores runs every file in one process.
  workerIdleMemoryLimit: '1GB',
  // Files wait for servers and processes as often as they compute.
  maxWorkers: availableParallelism() + 1,
  projects: globSync([
    'apps/*/jest*.config.js',
    'libs/*/jest*.config.js',
    'libs/platform/*/jest*.config.js',
    'libs/slices/*/jest*.config.js',
    'libs/use-cases/*/jest*.config.js',
    'tools/jest*.config.js',
    'tools/{cli,fake-provider}/jest*.config.js',
  ]).map((file) => `<rootDir>/${file}`),
};
