import { intPreset } from '../../../jest.preset.js';

// These tests start their own object store, so there are no shared servers.
export default { ...intPreset('storage'), globalSetup: undefined, globalTeardown: undefined };
