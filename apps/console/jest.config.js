import { unitPreset } from '../../jest.preset.js';

export default unitPreset('console');
