/**
 * One configuration for every project's tests. `*.test.ts` needs no server; `*.int.test.ts` runs against a real
 * Postgres and a real nats-server, which the global set-up starts once for the whole run.
 */
import { resolve } from 'node:path';

const inTools = (file) => resolve(import.meta.dirname, 'tools/src/jest', file);

const shared = (name) => ({
  displayName: name,
  testEnvironmentOptions: { globalsCleanup: 'off' },
  cacheDirectory: resolve(import.meta.dirname, 'node_modules/.cache/jest'),
});

/** Files that Node loads without transformation. */
const native = (name) => ({
  ...shared(name),
  testEnvironment: 'node',
  runtime: inTools('native-runtime.ts'),
  setupFilesAfterEnv: [inTools('seed-properties.ts')],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
});

/** Tests that need no server. */
export const unitPreset = (name) => ({
  ...native(name),
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/migrations/**/*.test.ts'],
  testPathIgnorePatterns: ['\\.(int|e2e|browser)\\.test\\.ts$', '/node_modules/', '/out-tsc/'],
});

/** Tests of components in a simulated document, if they need neither dialogs nor scrolling. */
export const componentPreset = (name) => ({
  ...shared(name),
  testEnvironment: 'jsdom',
  // A leaked mock or timer must not make another test pass.
  restoreMocks: true,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          target: 'es2024',
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleFileExtensions: ['tsx', 'ts', 'js', 'json', 'node'],
  moduleNameMapper: { '\\.module\\.css$': inTools('class-names.ts') },
  testMatch: ['<rootDir>/src/**/*.test.tsx'],
});

/** Tests against real servers: one Postgres and one nats-server for the run, one cloned database per test file. */
export const intPreset = (name) => ({
  ...native(`${name}:int`),
  testMatch: ['<rootDir>/src/**/*.int.test.ts'],
  globalSetup: inTools('global-setup.ts'),
  globalTeardown: inTools('global-teardown.ts'),
});
