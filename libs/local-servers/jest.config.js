import { unitPreset } from '../../jest.preset.js';

export default unitPreset('local-servers');
