import { Transform, type TransformCallback } from 'node:stream';
import { createTurnBudget } from '@steward/async';
import type { KeyHider } from '@steward/model-calls';
import type { UsageChunkFilter } from './usage-chunk-filter.ts';

export interface AnswerTapOptions {
  /** Receives each chunk before it is passed on; must not change or retain it. */
  readonly onChunk: (chunk: Buffer) => void;
  readonly filter: UsageChunkFilter | undefined;
  /** Masks the key in each chunk before it is passed on. */
  readonly hider: KeyHider | undefined;
  /** Called after all chunks have been sent to the client; the response is ended when the promise resolves. */
  readonly beforeEnd: () => Promise<void> | undefined;
}

const NOTHING = Buffer.alloc(0);

/**
 * Limits for all responses together, per iteration of the event loop: the bytes read and sent, and the time spent
 * inspecting them. Otherwise a provider that sends as fast as it is read would have 32 chunks in a row read on each
 * connection, while every other request waits (LIM-89).
 */
const TURN_BYTES = 256 * 1024;
const TURN_MS = 2;
const TURN = createTurnBudget(1);

/** Inspects a response while it is passed on unchanged. */
export class AnswerTap extends Transform {
  readonly #options: AnswerTapOptions;

  constructor(options: AnswerTapOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    TURN.run(() => this.#passPiece(chunk), done);
  }

  /**
   * Passes on one chunk.
   * @returns the fraction of an iteration of the event loop that has been used
   */
  #passPiece(chunk: Buffer): number {
    // The client disconnected while it waited: nothing more is read.
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
