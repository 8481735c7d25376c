import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Clock } from '@steward/runtime';
import { retry } from './retry.ts';
import type { FlowWriteOptions } from '@steward/slice-flows';
import { appendSessionContent } from '@steward/slice-gateway';

export type LogLevel = 'info' | 'warn' | 'error';

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

export interface ExecutionLogDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly options: FlowWriteOptions;
}

interface Block {
  readonly step: string;
  readonly level: LogLevel;
  readonly lines: string[];
  readonly startedAt: Date;
  bytes: number;
}

const FLUSH_AFTER_MS = 200;
const MAX_BLOCK_BYTES = 8 * 1024;
/** Kept in memory before a writer has to wait for the database. */
const MAX_PENDING_BYTES = 32 * 1024;

/**
 * Log lines as flow-log content of the execution's session. Lines of one step that come together are one block, and the
 * blocks of 200 ms one transaction: one for each line would cap an agent at a few hundred lines a second.
 */
export function createExecutionLog(
  deps: ExecutionLogDeps,
  run: { readonly accountId: string; readonly sessionId: string; readonly maxBytes: number },
): ExecutionLog {
  const secrets = new Set<string>();
  let blocks: Block[] = [];
  let pendingBytes = 0;
  let written = 0;
  let isCapped = false;
  let storing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let failure: { readonly error: unknown } | undefined;

  async function storeBlocks(): Promise<void> {
    const full = blocks;
    blocks = [];
    pendingBytes = 0;
    if (full.length === 0) return;
    const entries = full.map((block) => ({
      kind: 'flow_log' as const,
      text: block.lines.join('\n'),
      step: block.step,
      level: block.level,
      occurredAt: block.startedAt,
    }));
    const input = { accountId: run.accountId, sessionId: run.sessionId, entries, now: deps.clock.now() };
    await retry(() => transact(deps, (trx, hints) => appendSessionContent(trx, hints, input, deps.options)));
  }

  /** Stores one after the other: the order of the lines is that of the rows. */
  function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(storeBlocks).catch((error: unknown) => {
      // Kept for the next write: a timer has nobody to tell.
      failure ??= { error };
    });
    return storing;
  }

  async function add(step: string, text: string, level: LogLevel): Promise<void> {
    const bytes = Buffer.byteLength(text) + 1;
    const last = blocks.at(-1);
    if (last?.step === step && last.level === level && last.bytes + bytes <= MAX_BLOCK_BYTES) {
      last.lines.push(text);
      last.bytes += bytes;
    } else {
      blocks.push({ step, level, lines: [text], bytes, startedAt: deps.clock.now() });
    }
    pendingBytes += bytes;
    if (pendingBytes >= MAX_PENDING_BYTES) return store();
    timer ??= setTimeout(() => void store(), FLUSH_AFTER_MS);
  }

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
      if (failure !== undefined) throw failure.error;
      const text = redact(line);
      // How a run ended is said whatever came before.
      if (step === 'end') return add(step, text, level);
      if (isCapped) return;
      written += Buffer.byteLength(text) + 1;
      if (written > run.maxBytes) {
        isCapped = true;
        return add(step, `[log capped by Steward after ${run.maxBytes} bytes]`, 'warn');
      }
      await add(step, text, level);
    },
    async flush() {
      await store();
      if (failure !== undefined) throw failure.error;
    },
  };
}
