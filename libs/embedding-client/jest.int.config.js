import { intPreset } from '../../jest.preset.js';

// Real sockets, no shared servers.
export default { ...intPreset('embedding-client'), globalSetup: undefined, globalTeardown: undefined };
