import { intPreset } from '../../../jest.preset.js';

// No shared servers: these tests start an object store of their own.
export default { ...intPreset('storage'), globalSetup: undefined, globalTeardown: undefined };
