import { LogBlocks, type ExecutionLogDeps, type LogLevel } from './log-blocks.ts';
import type { HeldExecution } from './transact-leased.ts';

export interface ExecutionLog {
  /** Takes one line; resolves when there is room for the next, which is how a chatty agent is slowed down. */
  write(step: string, text: string, level?: LogLevel): Promise<void>;
  /** A value that is replaced wherever a later line holds it. */
  hide(secret: string): void;
  /** The text as a line may show it. */
  redact(text: string): string;
  /** Stores what is still in memory. */
  flush(): Promise<void>;
}

/** Log lines as flow-log content of the execution's session, up to a bound and without what was hidden. */
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
      // How a run ended, and what it reports, is said whatever came before.
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
