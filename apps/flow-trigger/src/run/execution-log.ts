import { LogBlocks, type ExecutionLogDeps, type LogLevel } from './log-blocks.ts';
import type { HeldExecution } from './transact-leased.ts';

export interface ExecutionLog {
  /** Writes one line; resolves when the buffer has space for the next line, so that a verbose agent is slowed down. */
  write(step: string, text: string, level?: LogLevel): Promise<void>;
  /** Registers a value that is replaced in all later lines. */
  hide(secret: string): void;
  /** Returns the text with hidden values replaced. */
  redact(text: string): string;
  /** Writes the buffered lines to the database. */
  flush(): Promise<void>;
}

/**
 * Creates a log whose lines are stored as flow-log content of the execution's session, with masked secrets and up to a
 * size limit.
 */
export function createExecutionLog(
  deps: ExecutionLogDeps,
  run: { readonly execution: HeldExecution; readonly maxBytes: number },
): ExecutionLog {
  const secrets = new Set<string>();
  const blocks = new LogBlocks(deps, run.execution);
  let written = 0;
  let isCapped = false;

  function redact(text: string): string {
    let result = text;
    for (const secret of secrets) result = result.replaceAll(secret, '[redacted]');
    return result;
  }

  return {
    redact,
    hide(secret) {
      if (secret !== '') secrets.add(secret);
    },
    async write(step, line, level = 'info') {
      blocks.requireStored();
      const text = redact(line);
      // The end of a run and its reports are logged even after the limit has been reached.
      if (step === 'end' || step === 'reporting') return blocks.add(step, text, level);
      if (isCapped) return;
      written += Buffer.byteLength(text) + 1;
      if (written > run.maxBytes) {
        isCapped = true;
        return blocks.add(step, `[log capped by Steward after ${run.maxBytes} bytes]`, 'warn');
      }
      await blocks.add(step, text, level);
    },
    async flush() {
      await blocks.store();
      blocks.requireStored();
    },
  };
}
