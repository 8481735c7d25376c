import { intPreset } from '../../../jest.preset.js';

// These tests use real sockets and no shared servers.
export default { ...intPreset('egress'), globalSetup: undefined, globalTeardown: undefined };
