import { intPreset } from '../../../jest.preset.js';

export default intPreset('stats');
