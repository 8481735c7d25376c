import { findJsonExcess } from '@steward/text';
import { request, type Dispatcher } from 'undici';
import { describeExcess, isPacked, PACKED } from './answer-limits.ts';

export interface JsonPost {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request wherever it is. */
  readonly signal: AbortSignal;
  /** More of an answer is not read. */
  readonly maxBytes: number;
  /** Members and entries of its JSON: one that holds more is not given out. */
  readonly maxValues?: number;
}

/** For answers whose form is known to be small. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 200;

export interface JsonAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Empty where there is a fault. */
  readonly body: Buffer;
  /** Which limit it passes, in our words; undefined: none. */
  readonly fault: string | undefined;
}

/** One POST, never redirected and never decompressed. @throws whatever undici throws when there is no whole answer */
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
