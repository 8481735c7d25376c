/**
 * One shape for every project's tests. `*.test.ts` needs no server; `*.int.test.ts` runs against a real Postgres and a
 * real nats-server, which the global set-up starts once for the whole run.
 */
import { resolve } from 'node:path';

const compile = (parser, transform = {}) => [
  '@swc/jest',
  { jsc: { parser, transform, target: 'es2024' }, module: { type: 'es6' }, sourceMaps: 'inline' },
];

const shared = (name, workspaceRoot) => ({
  displayName: name,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': compile({ syntax: 'typescript' }) },
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
  testPathIgnorePatterns: ['\\.(int|e2e|browser)\\.test\\.ts$', '/node_modules/', '/out-tsc/'],
});

/** Tests of what runs in a browser, in a document without one: rules, and components that need neither dialogs nor scrolling. */
export const browserPreset = (name, workspaceRoot) => {
  const preset = shared(name, workspaceRoot);
  return {
    ...preset,
    testEnvironment: 'jsdom',
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform: { '^.+\\.tsx?$': compile({ syntax: 'typescript', tsx: true }, { react: { runtime: 'automatic' } }) },
    moduleFileExtensions: ['tsx', ...preset.moduleFileExtensions],
    moduleNameMapper: {
      ...preset.moduleNameMapper,
      '\\.module\\.css$': resolve(import.meta.dirname, 'tools/src/jest/class-names.ts'),
    },
    testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}'],
  };
};

/** Tests against real servers: one Postgres and one nats-server for the run, one cloned database per test file. */
export const intPreset = (name, workspaceRoot) => ({
  ...shared(`${name}:int`, workspaceRoot),
  testMatch: ['<rootDir>/src/**/*.int.test.ts'],
  globalSetup: resolve(import.meta.dirname, 'tools/src/jest/global-setup.ts'),
  globalTeardown: resolve(import.meta.dirname, 'tools/src/jest/global-teardown.ts'),
});
