import { Transform, type TransformCallback } from 'node:stream';
import { createTurnBudget } from '@steward/async';
import type { KeyHider } from './hide-key.ts';
import type { UsageChunkFilter } from './usage-chunk-filter.ts';

export interface AnswerTapOptions {
  /** Sees each chunk before it goes on; must not change or keep it. */
  readonly onChunk: (chunk: Buffer) => void;
  readonly filter: UsageChunkFilter | undefined;
  /** Before anybody sees a chunk. */
  readonly hider: KeyHider | undefined;
  /** Its client has everything by then but the end. */
  readonly beforeEnd: () => Promise<void> | undefined;
}

const NOTHING = Buffer.alloc(0);

/**
 * Of one turn of the event loop all answers together may take so much: bytes that are read and sent on, and time in which they are looked at.
 * A provider that sends as fast as it is read would otherwise be read 32 pieces in a row on each of its connections, while every other
 * request waits (LIM-89).
 */
const TURN_BYTES = 256 * 1024;
const TURN_MS = 2;
const TURN = createTurnBudget(1);

/** An answer on its way: it is looked at, and goes on as it came. */
export class AnswerTap extends Transform {
  readonly #options: AnswerTapOptions;

  constructor(options: AnswerTapOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    TURN.run(() => this.#passPiece(chunk), done);
  }

  /** @returns the share of a turn of the event loop that it took */
  #passPiece(chunk: Buffer): number {
    // The client disconnected while it waited: nothing is read any more.
    if (this.destroyed) return 0;
    const begin = performance.now();
    this.#passOn(this.#options.hider?.pass(chunk) ?? chunk);
    return chunk.byteLength / TURN_BYTES + (performance.now() - begin) / TURN_MS;
  }

  #passOn(chunk: Buffer): void {
    if (chunk.byteLength === 0) return;
    const { onChunk, filter } = this.#options;
    onChunk(chunk);
    for (const piece of filter?.pass(chunk) ?? [chunk]) this.push(piece);
  }

  override _flush(done: TransformCallback): void {
    this.#passOn(this.#options.hider?.end() ?? NOTHING);
    for (const piece of this.#options.filter?.flush() ?? []) this.push(piece);
    const waiting = this.#options.beforeEnd();
    if (waiting === undefined) done();
    else void waiting.finally(done);
  }
}
