import { unitPreset } from '../../jest.preset.js';

export default unitPreset('mcp-client');
