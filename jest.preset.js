/**
 * One shape for every project's tests. `*.test.ts` needs no server; `*.int.test.ts` runs against a real Postgres and a
 * real nats-server, which the global set-up starts once for the whole run.
 */
import { resolve } from 'node:path';

const shared = (name, workspaceRoot) => ({
  displayName: name,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  moduleNameMapper: { '^fast-check$': resolve(import.meta.dirname, 'tools/src/jest/fast-check.ts') },
  // Nothing is shared between runs of one file, so a leaked mock or timer cannot help another test to pass.
  restoreMocks: true,
  cacheDirectory: resolve(process.cwd(), workspaceRoot, 'node_modules/.cache/jest'),
});

/** Tests that need no server. */
export const unitPreset = (name, workspaceRoot) => ({
  ...shared(name, workspaceRoot),
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/migrations/**/*.test.ts'],
  testPathIgnorePatterns: ['\\.int\\.test\\.ts$', '\\.e2e\\.test\\.ts$', '/node_modules/', '/out-tsc/'],
});

/** Tests against real servers: one Postgres and one nats-server for the run, one cloned database per test file. */
export const intPreset = (name, workspaceRoot) => ({
  ...shared(`${name}:int`, workspaceRoot),
  testMatch: ['<rootDir>/src/**/*.int.test.ts'],
  globalSetup: resolve(import.meta.dirname, 'tools/src/jest/global-setup.ts'),
  globalTeardown: resolve(import.meta.dirname, 'tools/src/jest/global-teardown.ts'),
});
