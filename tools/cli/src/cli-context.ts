import type { Readable } from 'node:stream';
import type { Output } from './output.ts';

/** Parts of the process that a command may use. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
  readonly output: Output;
  /** Signal that is aborted on Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Sets the exit code of the process, for commands that succeed with a negative result. */
  setExitCode(code: number): void;
  /** Ends the process, even if some work is still pending: all output has been written. */
  leave(): void;
}
