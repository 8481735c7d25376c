import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import { writePersistently } from './write-persistently.ts';
import type { SessionWriteOptions } from '@steward/sessions';
import { appendSessionContent } from '@steward/sessions';
import { transactLeased, type HeldExecution } from './transact-leased.ts';

export type LogLevel = 'info' | 'warn' | 'error';

export interface ExecutionLogDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly options: SessionWriteOptions;
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
/** Buffer size at which a writer has to wait for the database. */
const MAX_PENDING_BYTES = 32 * 1024;

/**
 * Stores lines in blocks of up to 8 KiB: consecutive lines of the same step and level form a block; a line that is
 * longer than 8 KiB has its own block. Blocks are collected for 200 ms, or until they reach 32 KiB, and then stored in
 * one transaction. One transaction per line would limit an agent to a few hundred lines a second.
 */
export class LogBlocks {
  readonly #deps: ExecutionLogDeps;
  readonly #execution: HeldExecution;
  #blocks: Block[] = [];
  #pendingBytes = 0;
  #storing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(deps: ExecutionLogDeps, execution: HeldExecution) {
    this.#deps = deps;
    this.#execution = execution;
  }

  /** Adds a line; resolves when the buffer has space for the next line. */
  async add(step: string, text: string, level: LogLevel): Promise<void> {
    const bytes = Buffer.byteLength(text) + 1;
    const last = this.#blocks.at(-1);
    if (last?.step === step && last.level === level && last.bytes + bytes <= MAX_BLOCK_BYTES) {
      last.lines.push(text);
      last.bytes += bytes;
    } else {
      this.#blocks.push({ step, level, lines: [text], bytes, startedAt: this.#deps.clock.now() });
    }
    this.#pendingBytes += bytes;
    if (this.#pendingBytes >= MAX_PENDING_BYTES) return this.store();
    this.#timer ??= setTimeout(() => void this.store(), FLUSH_AFTER_MS);
  }

  /**
   * Stores the buffered blocks after those of earlier calls, because the order of the rows determines the order of the
   * lines. Never rejects.
   */
  store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storing = this.#storing
      .then(() => this.#storeBlocks())
      .catch((error: unknown) => {
        // The error is stored and thrown by the next write, because a timer has no caller to report to.
        this.#failure ??= { error };
      });
    return this.#storing;
  }

  /** Checks whether all blocks could be stored so far. @throws the first database error if not */
  requireStored(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #storeBlocks(): Promise<void> {
    const full = this.#blocks;
    this.#blocks = [];
    this.#pendingBytes = 0;
    if (full.length === 0) return;
    const entries = full.map((block) => ({
      kind: 'flow_log' as const,
      text: block.lines.join('\n'),
      step: block.step,
      level: block.level,
      occurredAt: block.startedAt,
    }));
    const { account_id: accountId, runtime_session_id: sessionId } = this.#execution;
    const input = { accountId, sessionId: sessionId ?? '', entries, now: this.#deps.clock.now() };
    await writePersistently(() =>
      transactLeased(this.#deps, this.#execution, (trx, hints) =>
        appendSessionContent(trx, hints, input, this.#deps.options),
      ),
    );
  }
}
