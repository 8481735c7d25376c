import { request, type Dispatcher } from 'undici';

export interface JsonPost {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request wherever it is. */
  readonly signal: AbortSignal;
  /** More of an answer is not read. */
  readonly maxBytes: number;
}

export interface JsonAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
  /** There was more than `maxBytes`. */
  readonly isCut: boolean;
}

/** One POST, never redirected and never decompressed. @throws whatever undici throws when there is no whole answer */
export async function postJson({ dispatcher, url, headers, body, signal, maxBytes }: JsonPost): Promise<JsonAnswer> {
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
  const { 'retry-after': retryAfter } = answer.headers;
  const facts = { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer.body as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > maxBytes) return { ...facts, body: Buffer.concat(parts), isCut: true };
    parts.push(part);
  }
  return { ...facts, body: Buffer.concat(parts), isCut: false };
}
