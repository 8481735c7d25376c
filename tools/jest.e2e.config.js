import { resolve } from 'node:path';
import { intPreset } from '../jest.preset.js';

/** Tests of whole processes: the bundles as `npm start` runs them, on separate servers. */
export default {
  ...intPreset('e2e'),
  displayName: 'e2e',
  globalSetup: resolve(import.meta.dirname, 'src/jest/e2e-set-up.ts'),
  testMatch: ['<rootDir>/src/**/*.e2e.test.ts'],
};
