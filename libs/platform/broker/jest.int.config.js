import { intPreset } from '../../../jest.preset.js';

// No shared servers: these tests stop, restart and empty the broker, so each file starts one of its own.
const { globalSetup, globalTeardown, ...preset } = intPreset('broker', '../../..');

export default preset;
