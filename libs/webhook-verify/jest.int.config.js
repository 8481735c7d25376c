import { intPreset } from '../../jest.preset.js';

/** Runs the examples and the built package as processes; needs no database, so no servers are set up for it. */
const { globalSetup: _setup, globalTeardown: _teardown, ...preset } = intPreset('webhook-verify');

export default preset;
