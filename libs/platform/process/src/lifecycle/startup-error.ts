/**
 * Error if the process cannot start until the operator changes something: printed as one line, exit code 1. Never
 * contains credentials.
 */
export class StartupError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StartupError';
  }
}
