/**
 * Exit codes of the process. A pipeline can distinguish a negative result of the agent, a run that was not started, and
 * a run that has no verdict yet.
 */
export const EXIT = {
  succeeded: 0,
  /** The execution ended with FAILED or STOPPED, or a signature is invalid. */
  failed: 1,
  /** Nothing was done: incorrect usage, a limit, a missing or rejected credential, or a refusal by the service. */
  refused: 2,
  /** No verdict in time: the execution is still running, or the service is unavailable. */
  timedOut: 3,
  /** The command was interrupted: 128 + SIGINT, as in shells. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Error that ends the command with one message on standard error; thrown when a command cannot continue, and caught in
 * `main`.
 */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Creates the error for a refusal by the command or by the service: nothing was started. */
export function refuse(message: string): CliError {
  return new CliError(EXIT.refused, message);
}
