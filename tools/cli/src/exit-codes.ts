/**
 * Exit codes of the process. A pipeline can distinguish a negative result of the agent, a run that was not started, and
 * a run without a verdict yet.
 */
export const EXIT = {
  succeeded: 0,
  /** The execution ended FAILED or STOPPED; a signature is invalid. */
  failed: 1,
  /** Nothing was done: wrong usage, a limit, a missing or refused credential, a refusal of the service. */
  refused: 2,
  /** No verdict in time: the execution is still running, or the service was unavailable. */
  timedOut: 3,
  /** 128 + SIGINT, as in shells. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with one message on standard error; thrown if a command cannot continue, caught in `main`. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A refusal by the command or by the service: nothing was started. */
export function refuse(message: string): CliError {
  return new CliError(EXIT.refused, message);
}
