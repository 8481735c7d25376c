/** The process cannot start and a person has to change something: printed as one line, exit code 1. Never carries credentials. */
export class StartupError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StartupError';
  }
}
