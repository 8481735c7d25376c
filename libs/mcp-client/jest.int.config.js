import { intPreset } from '../../jest.preset.js';

// Uses real sockets, no shared servers.
export default { ...intPreset('mcp-client'), globalSetup: undefined, globalTeardown: undefined };
