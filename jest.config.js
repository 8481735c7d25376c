import { globSync } from 'node:fs';

/** Every project's tests in one run: one pool of workers, one set of servers. */
export default {
  // Tests share two cores with servers and with each other; what hangs still ends.
  testTimeout: 20_000,
  projects: globSync([
    'apps/*/jest*.config.js',
    'libs/*/jest*.config.js',
    'libs/platform/*/jest*.config.js',
    'libs/slices/*/jest*.config.js',
    'tools/jest*.config.js',
  ]).map((file) => `<rootDir>/${file}`),
};
