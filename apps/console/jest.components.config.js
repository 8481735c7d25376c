import { componentPreset } from '../../jest.preset.js';

export default componentPreset('console:components');
