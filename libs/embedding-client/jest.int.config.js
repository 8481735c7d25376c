import { intPreset } from '../../jest.preset.js';

// Uses real sockets and no shared servers.
export default { ...intPreset('embedding-client'), globalSetup: undefined, globalTeardown: undefined };
