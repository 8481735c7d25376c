import { intPreset } from '../../jest.preset.js';

// Real sockets, no shared servers.
export default { ...intPreset('mcp-client'), globalSetup: undefined, globalTeardown: undefined };
