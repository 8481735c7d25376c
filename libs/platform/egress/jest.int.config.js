import { intPreset } from '../../../jest.preset.js';

// Real sockets, no shared servers.
export default { ...intPreset('egress'), globalSetup: undefined, globalTeardown: undefined };
