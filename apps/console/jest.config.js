import { browserPreset } from '../../jest.preset.js';

export default browserPreset('console');
