import { globSync } from 'node:fs';
import { RUN_LIMITS } from './tools/src/test/run-limits.ts';

/** Runs every project's tests in one run: one pool of workers, one set of servers. */
export default {
  ...RUN_LIMITS,
  testSequencer: '<rootDir>/tools/src/jest/longest-first.ts',
  projects: globSync([
    'apps/*/jest*.config.js',
    'libs/*/jest*.config.js',
    'libs/platform/*/jest*.config.js',
    'libs/contexts/*/jest*.config.js',
    'libs/contexts/*/api/jest*.config.js',
    'libs/use-cases/*/jest*.config.js',
    'tools/jest*.config.js',
    'tools/{cli,fake-provider}/jest*.config.js',
  ]).map((file) => `<rootDir>/${file}`),
};
