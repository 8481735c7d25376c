import { resolve } from 'node:path';
import { unitPreset } from '../jest.preset.js';

const preset = unitPreset('tools');

export default {
  ...preset,
  globalSetup: resolve(import.meta.dirname, 'src/jest/encoder-set-up.ts'),
  testMatch: [...preset.testMatch, '<rootDir>/{bench,embedding-server}/**/*.test.ts'],
};
