import { intPreset } from '../jest.preset.js';

/** Whole processes: the bundles as `npm start` runs them, on servers of their own. */
export default {
  ...intPreset('e2e', '..'),
  displayName: 'e2e',
  testMatch: ['<rootDir>/src/**/*.e2e.test.ts'],
};
