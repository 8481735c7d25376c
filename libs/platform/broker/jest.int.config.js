import { intPreset } from '../../../jest.preset.js';

const preset = intPreset('broker');

// These tests kill, restart and empty the broker, so each file starts its own server. A deleted stream is detected
// after two missed heartbeats, which takes about five seconds.
export default { ...preset, globalSetup: undefined, globalTeardown: undefined, testTimeout: 120_000 };
