import { intPreset } from '../../jest.preset.js';

export default {
  ...intPreset('webhook-dispatcher', '../..'),
  setupFilesAfterEnv: ['<rootDir>/src/testing/set-test-timeout.ts'],
};
