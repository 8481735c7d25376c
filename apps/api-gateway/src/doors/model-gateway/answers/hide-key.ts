import { pipeline, Transform } from 'node:stream';
import type { ProviderAnswer } from '../dial-models.ts';

/** Shorter ones stand in words, too. */
const SHORTEST_KEY = 8;

/**
 * A refusal without the key that its request was sent with, which some servers name: it never reaches a client, nor what is
 * stored. As many stars stand in its place, so that the length stays what the provider says.
 */
export function hideKey(answer: ProviderAnswer, key: string | undefined): ProviderAnswer {
  if (answer.statusCode < 400 || key === undefined || key.length < SHORTEST_KEY) return answer;
  const body = new KeyHider(Buffer.from(key));
  pipeline(answer.body, body, () => undefined);
  return { ...answer, body };
}

class KeyHider extends Transform {
  readonly #key: Buffer;
  /** What may be the beginning of the key. */
  #held = Buffer.alloc(0);

  constructor(key: Buffer) {
    super();
    this.#key = key;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const bytes = Buffer.concat([this.#held, chunk]);
    for (let at = bytes.indexOf(this.#key); at !== -1; at = bytes.indexOf(this.#key, at)) {
      bytes.fill('*', at, at + this.#key.byteLength);
    }
    const end = Math.max(0, bytes.byteLength - this.#key.byteLength + 1);
    this.#held = bytes.subarray(end);
    this.push(bytes.subarray(0, end));
    done();
  }

  override _flush(done: () => void): void {
    this.push(this.#held);
    done();
  }
}
