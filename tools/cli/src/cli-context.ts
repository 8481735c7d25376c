import type { Readable } from 'node:stream';
import type { Output } from './output.ts';

/** What a command may touch of the process it runs in. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
  readonly output: Output;
  /** Aborted on Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** What the process will end with; commands that end well but say no set it. */
  setExitCode(code: number): void;
  /** Everything was said: the process ends although something is still under way. */
  leave(): void;
}
