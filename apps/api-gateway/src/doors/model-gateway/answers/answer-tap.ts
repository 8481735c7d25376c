import { Transform, type TransformCallback } from 'node:stream';
import type { UsageChunkFilter } from './usage-chunk-filter.ts';

export interface AnswerTapOptions {
  /** Sees each chunk before it goes on; must not change or keep it. */
  readonly onChunk: (chunk: Buffer) => void;
  readonly filter: UsageChunkFilter | undefined;
  /** Its client has everything by then but the end. */
  readonly beforeEnd: () => Promise<void> | undefined;
}

/** An answer on its way: it is looked at, and goes on as it came. */
export class AnswerTap extends Transform {
  readonly #options: AnswerTapOptions;

  constructor(options: AnswerTapOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#options.onChunk(chunk);
    const { filter } = this.#options;
    if (filter === undefined) return done(null, chunk);
    for (const piece of filter.pass(chunk)) this.push(piece);
    done();
  }

  override _flush(done: TransformCallback): void {
    for (const piece of this.#options.filter?.flush() ?? []) this.push(piece);
    const waiting = this.#options.beforeEnd();
    if (waiting === undefined) done();
    else void waiting.finally(done);
  }
}
