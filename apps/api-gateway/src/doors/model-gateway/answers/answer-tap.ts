import { Transform, type TransformCallback } from 'node:stream';
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

/** An answer on its way: it is looked at, and goes on as it came. */
export class AnswerTap extends Transform {
  readonly #options: AnswerTapOptions;

  constructor(options: AnswerTapOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#passOn(this.#options.hider?.pass(chunk) ?? chunk);
    done();
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
