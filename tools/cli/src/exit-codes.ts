/**
 * What the process ends with. A pipeline tells "the agent said no" from "nothing was started" and from "no verdict yet"
 * by these alone.
 */
export const EXIT = {
  succeeded: 0,
  /** The execution ended FAILED or STOPPED; a signature did not verify. */
  failed: 1,
  /** Nothing was done: wrong usage, a cap, a missing or refused credential, a refusal of the service. */
  refused: 2,
  /** No verdict in time: the execution still runs, or the service could not be reached. */
  timedOut: 3,
  /** 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with one message on standard error; thrown where a command cannot go on, caught in `main`. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A refusal before or by the service: nothing was started. */
export function refuse(message: string): CliError {
  return new CliError(EXIT.refused, message);
}
