/**
 * Error of a process that cannot start until the operator changes something. It is printed as one line, and the process
 * exits with code 1. The message never contains credentials.
 */
export class StartupError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StartupError';
  }
}
