import { unitPreset } from '../jest.preset.js';

const preset = unitPreset('tools');

export default { ...preset, testMatch: [...preset.testMatch, '<rootDir>/{bench,embedding-server}/**/*.test.ts'] };
