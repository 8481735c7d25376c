import { findJsonExcess } from '@steward/text';
import { request, type Dispatcher } from 'undici';
import { describeExcess, isPacked, PACKED } from './answer-limits.ts';

export interface JsonPost {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Signal that aborts the request at any point. */
  readonly signal: AbortSignal;
  /** Maximum number of bytes that are read from a response. */
  readonly maxBytes: number;
  /** Maximum number of object members and array entries in the JSON of a response; a response with more is rejected. */
  readonly maxValues?: number;
}

/** Default of `maxValues`, for responses that are known to be small. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 200;

export interface JsonAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Body of the response; empty if `fault` is set. */
  readonly body: Buffer;
  /** Reason why the response was rejected: it exceeds a limit, or it is compressed; undefined if it was accepted. */
  readonly fault: string | undefined;
}

/**
 * Sends one POST request. Redirects are not followed, and compressed responses are rejected.
 * @throws the error of undici if there is no complete response
 */
export async function postJson(post: JsonPost): Promise<JsonAnswer> {
  const { dispatcher, url, headers, body, signal, maxBytes, maxValues = MAX_VALUES } = post;
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...headers,
    },
    body,
    signal,
  });
  const { 'retry-after': retryAfter, 'content-encoding': encoding } = answer.headers;
  const facts = { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
  const refuse = (fault: string): JsonAnswer => {
    answer.body.on('error', () => undefined).destroy();
    return { ...facts, body: Buffer.alloc(0), fault };
  };
  if (isPacked(String(encoding ?? ''))) return refuse(PACKED);
  const limits = { maxBytes, maxValues, maxDepth: MAX_DEPTH };
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer.body as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > maxBytes) return refuse(describeExcess('bytes', limits).message);
    parts.push(part);
  }
  const whole = Buffer.concat(parts);
  const excess = findJsonExcess(whole, limits);
  return excess === undefined
    ? { ...facts, body: whole, fault: undefined }
    : refuse(describeExcess(excess, limits).message);
}
