import { createTurnBudget } from '@steward/async';
import type { Send, Through } from '@steward/http';
import type { KeyHider } from '@steward/model-calls';
import type { UsageChunkFilter } from './usage-chunk-filter.ts';

export interface AnswerTapOptions {
  /** Receives each chunk before it is passed on; must not change or retain it. */
  readonly onChunk: (chunk: Buffer) => void;
  readonly filter: UsageChunkFilter | undefined;
  /** Masks the key in each chunk before it is passed on. */
  readonly hider: KeyHider | undefined;
  /** Called after all chunks have been sent to the client; a returned promise delays the end until it has settled. */
  readonly beforeEnd: () => Promise<void> | undefined;
  /**
   * Called once: when the whole response has been passed on, or with an error as soon as the client or the provider has
   * disconnected early.
   */
  readonly onEnd: (error: Error | undefined) => void;
}

const NOTHING = Buffer.alloc(0);

/**
 * Limits for all responses together, per iteration of the event loop: the bytes read and sent, and the time spent
 * inspecting them. Without these limits, 32 chunks in a row would be read from each connection to a fast provider,
 * while every other request waits (LIM-89).
 */
const TURN_BYTES = 256 * 1024;
const TURN_MS = 2;
const TURN = createTurnBudget(1);

/**
 * Inspects a response while it is passed on: masks the key, and removes the chunk with the usage if there is a filter.
 */
export class AnswerTap implements Through {
  readonly #options: AnswerTapOptions;
  #hasEnded = false;

  constructor(options: AnswerTapOptions) {
    this.#options = options;
  }

  pass(chunk: Buffer, send: Send, done: () => void): void {
    TURN.run(() => this.#passPiece(chunk, send), done);
  }

  /**
   * Passes on one chunk.
   * @returns the fraction of an iteration of the event loop that has been used
   */
  #passPiece(chunk: Buffer, send: Send): number {
    // The response ended while the chunk waited for its turn: the chunk is dropped.
    if (this.#hasEnded) return 0;
    const begin = performance.now();
    this.#passOn(this.#options.hider?.pass(chunk) ?? chunk, send);
    return chunk.byteLength / TURN_BYTES + (performance.now() - begin) / TURN_MS;
  }

  #passOn(chunk: Buffer, send: Send): void {
    if (chunk.byteLength === 0) return;
    const { onChunk, filter } = this.#options;
    onChunk(chunk);
    if (filter === undefined) return send(chunk);
    for (const piece of filter.pass(chunk)) send(piece);
  }

  flush(send: Send, done: () => void): void {
    this.#passOn(this.#options.hider?.end() ?? NOTHING, send);
    for (const piece of this.#options.filter?.flush() ?? []) send(piece);
    const waiting = this.#options.beforeEnd();
    if (waiting === undefined) done();
    else void waiting.finally(done);
  }

  end(error: Error | undefined): void {
    this.#hasEnded = true;
    this.#options.onEnd(error);
  }
}
