import { jest } from '@jest/globals';

// Breakers and retries run on real, shortened times, and processes take seconds to start on a busy machine. Here because
// a project's own `testTimeout` is not heard when several projects run together.
jest.setTimeout(60_000);
