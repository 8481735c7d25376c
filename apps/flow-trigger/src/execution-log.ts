import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Clock } from '@steward/runtime';
import type { FlowWriteOptions } from '@steward/slice-flows';
import { appendSessionContent } from '@steward/slice-gateway';

export type LogLevel = 'info' | 'warn' | 'error';

export interface ExecutionLog {
  /** Takes one line; resolves when there is room for the next, which is how a chatty agent is slowed down. */
  write(step: string, text: string, level?: LogLevel): Promise<void>;
  /** Stores what is still in memory. */
  flush(): Promise<void>;
}

export interface ExecutionLogDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly options: FlowWriteOptions;
}

const FLUSH_AFTER_MS = 200;
const MAX_BLOCK_BYTES = 8 * 1024;

/**
 * Log lines as flow-log content of the execution's session. Lines of one step that come together are stored as one
 * block: a transaction per line would cap an agent at a few hundred lines a second.
 */
export function createExecutionLog(
  deps: ExecutionLogDeps,
  run: { readonly accountId: string; readonly sessionId: string; readonly maxBytes: number },
): ExecutionLog {
  let block: { step: string; level: LogLevel; lines: string[]; bytes: number; startedAt: Date } | undefined;
  let written = 0;
  let isCapped = false;
  let storing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;

  async function store(): Promise<void> {
    clearTimeout(timer);
    const full = block;
    block = undefined;
    if (full === undefined) return storing;
    storing = storing.then(async () => {
      const text = full.lines.join('\n');
      const entry = { kind: 'flow_log', text, step: full.step, level: full.level, occurredAt: full.startedAt } as const;
      const input = { accountId: run.accountId, sessionId: run.sessionId, entries: [entry], now: deps.clock.now() };
      await transact(deps, (trx, hints) => appendSessionContent(trx, hints, input, deps.options));
    });
    // Kept for the next write: a timer has nobody to tell.
    storing = storing.catch((error: unknown) => {
      failure = error;
    });
    return storing;
  }

  async function add(step: string, text: string, level: LogLevel): Promise<void> {
    if (block !== undefined && (block.step !== step || block.level !== level)) await store();
    if (block === undefined) {
      block = { step, level, lines: [], bytes: 0, startedAt: deps.clock.now() };
      timer = setTimeout(() => void store(), FLUSH_AFTER_MS);
    }
    block.lines.push(text);
    block.bytes += Buffer.byteLength(text) + 1;
    if (block.bytes >= MAX_BLOCK_BYTES) await store();
  }

  return {
    async write(step, text, level = 'info') {
      if (failure !== undefined) throw failure;
      // How a run ended is said whatever came before.
      if (step === 'end') return add(step, text, level);
      if (isCapped) return;
      written += Buffer.byteLength(text) + 1;
      if (written > run.maxBytes) {
        isCapped = true;
        await add(step, `[log capped by Steward after ${run.maxBytes} bytes]`, 'warn');
        return;
      }
      await add(step, text, level);
    },
    async flush() {
      await store();
      if (failure !== undefined) throw failure;
    },
  };
}
