import { intPreset } from '../../../jest.preset.js';

const preset = intPreset('broker');

// No shared servers: these tests kill, restart and empty the broker, so each file starts its own.
// A deleted stream is noticed after two silent heartbeats, about five seconds.
export default { ...preset, globalSetup: undefined, globalTeardown: undefined, testTimeout: 120_000 };
