import { MODEL } from './model.ts';
import type { EmbeddingRequest } from './read-request.ts';
import type { Encoded } from './start-encoder.ts';

export interface EmbeddingItem {
  readonly object: 'embedding';
  readonly index: number;
  readonly embedding: readonly number[] | string;
}

export interface EmbeddingAnswer {
  readonly object: 'list';
  readonly data: readonly EmbeddingItem[];
  readonly model: string;
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

/** Writes the API's response for encoded texts, with the requested number of dimensions and in the requested format. */
export function writeAnswer(
  encoded: readonly Encoded[],
  request: Pick<EmbeddingRequest, 'width' | 'isBase64'>,
): EmbeddingAnswer {
  const tokens = encoded.reduce((sum, one) => sum + one.tokens, 0);
  return {
    object: 'list',
    data: encoded.map(({ vector }, index) => ({
      object: 'embedding',
      index,
      embedding: writeVector(shorten(vector, request.width), request.isBase64),
    })),
    model: MODEL,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

export function writeVector(vector: Float32Array, isBase64: boolean): readonly number[] | string {
  return isBase64 ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64') : [...vector];
}

/** Returns the first `width` numbers, normalized to length 1. */
export function shorten(vector: Float32Array, width: number): Float32Array {
  const part = vector.slice(0, width);
  const length = Math.hypot(...part);
  return length === 0 ? part : part.map((number) => number / length);
}
