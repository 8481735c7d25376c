import { resolve } from 'node:path';
import { intPreset } from '../jest.preset.js';

/** Tests of the web console in a browser: the built console of a running suite, in Chromium. */
export default {
  ...intPreset('browser'),
  displayName: 'browser',
  testMatch: ['<rootDir>/src/browser/**/*.browser.test.ts'],
  globalSetup: resolve(import.meta.dirname, 'src/jest/browser-set-up.ts'),
};
