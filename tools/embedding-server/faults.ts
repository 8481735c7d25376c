import type { EmbeddingRequest } from './read-request.ts';
import type { EmbeddingAnswer } from './write-answer.ts';
import { writeVector } from './write-answer.ts';

/** Failures of a provider, for testing how they are handled. */
export const FAULTS = [
  'unauthorized',
  'rate_limited',
  'failing',
  'slow',
  'redirecting',
  'no_base64',
  'wrong_order',
  'wrong_width',
  'not_a_number',
] as const;

export type Fault = (typeof FAULTS)[number];

export interface FaultyAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: string;
}

export const RETRY_AFTER_SECONDS = 1;
export const SLOW_MS = 30_000;

/** Returns a response that replaces the usual one; undefined for faults that modify the usual one. */
export function answerFaultily(fault: Fault | undefined, { isBase64 }: EmbeddingRequest): FaultyAnswer | undefined {
  switch (fault) {
    case 'unauthorized':
      return { status: 401, code: 'invalid_api_key' };
    case 'rate_limited':
      return { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } };
    case 'failing':
      return { status: 500, code: 'server_error' };
    case 'redirecting':
      return { status: 307, code: 'moved', headers: { location: '/v1/embeddings' } };
    case 'no_base64':
      return isBase64 ? { status: 400, code: 'unsupported: encoding_format' } : undefined;
    default:
      return undefined;
  }
}

/** Makes a valid response invalid, or changes its order. */
export function spoil(answer: EmbeddingAnswer, fault: Fault | undefined): EmbeddingAnswer {
  const replaceLast = (vector: Float32Array): EmbeddingAnswer => ({
    ...answer,
    data: answer.data.map((item, index) =>
      index < answer.data.length - 1
        ? item
        : { ...item, embedding: writeVector(vector, typeof item.embedding === 'string') },
    ),
  });
  if (fault === 'wrong_order') return { ...answer, data: answer.data.toReversed() };
  // For one text the number of dimensions differs from that of its vector space, for several texts it differs within
  // the response.
  if (fault === 'wrong_width') return replaceLast(Float32Array.of(0.6, 0.8));
  return fault === 'not_a_number' ? replaceLast(Float32Array.of(Number.NaN)) : answer;
}
