import { globSync } from 'node:fs';

/** Every project's tests in one run: one pool of workers, one set of servers. */
export default {
  // Processes take seconds to start on a busy machine, breakers and retries run on real, shortened times; what hangs still
  // ends. Here, because a project's own timeout is not heard when several projects run together.
  testTimeout: 60_000,
  projects: globSync([
    'apps/*/jest*.config.js',
    'libs/*/jest*.config.js',
    'libs/platform/*/jest*.config.js',
    'libs/slices/*/jest*.config.js',
    'tools/jest*.config.js',
    'tools/cli/jest*.config.js',
  ]).map((file) => `<rootDir>/${file}`),
};
