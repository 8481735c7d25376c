import { intPreset } from '../../jest.preset.js';

// Breakers and retries run on real, shortened times.
export default { ...intPreset('webhook-dispatcher', '../..'), testTimeout: 30_000 };
