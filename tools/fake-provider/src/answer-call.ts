import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Behaviour } from './behaviour.ts';
import { makeReply, type CallBody, type ReplyWriter, type StreamEvent } from './call.ts';
import { CHAT_WRITER } from './chat-writer.ts';
import { MESSAGES_WRITER } from './messages-writer.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { RESPONSES_WRITER } from './responses-writer.ts';
import { writeEmbeddings } from './write-embeddings.ts';
import { writeError, type Api } from './write-error.ts';
import { writeFrames } from './write-frames.ts';
import { writeModels } from './write-models.ts';

const WRITERS: Readonly<Record<string, ReplyWriter>> = {
  'POST /v1/chat/completions': CHAT_WRITER,
  'POST /v1/responses': RESPONSES_WRITER,
  'POST /v1/messages': MESSAGES_WRITER,
};

export interface CallToAnswer {
  readonly request: RecordedRequest;
  readonly response: ServerResponse;
  readonly behaviour: Behaviour;
  readonly apiKey: string | undefined;
}

/** Responds to a call as its API would, with the given behavior. */
export async function answerCall(call: CallToAnswer): Promise<void> {
  const { request, response, behaviour } = call;
  const api = findApi(request);
  if (behaviour.firstByteMs !== undefined) await delay(behaviour.firstByteMs, undefined, { ref: false });
  if (behaviour.reset === true) return cut(call);
  const status = readsKey(api, call) ? behaviour.status : 401;
  if (status !== undefined) return sendUnary(call, status, writeError(api, status));
  const body = parse(request.body);
  const route = `${request.method} ${request.path.split('?')[0]}`;
  const writer = WRITERS[route];
  if (writer === undefined || body === undefined) {
    const found = body === undefined ? undefined : writeOther(route, api, body, request.body.byteLength);
    return found === undefined
      ? sendUnary(call, body === undefined ? 400 : 404, writeError(api, body === undefined ? 400 : 404))
      : sendUnary(call, 200, found);
  }
  if (behaviour.refusesStreamOptions === true && 'stream_options' in body)
    return sendUnary(call, 400, { error: { message: 'Unrecognized request argument supplied: stream_options' } });
  const reply = makeReply(body, request.body.byteLength, behaviour);
  if (body.stream !== true) return sendUnary(call, 200, writer.writeUnary(reply));
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    ...namePacking(behaviour),
    ...nameRequest(api),
  });
  await sendStream(call, writer.writeStream(reply, body), writer);
}

function writeOther(route: string, api: Api, body: CallBody, bodyBytes: number): unknown {
  if (route === 'GET /v1/models') return writeModels(api);
  if (route === 'POST /v1/embeddings') return writeEmbeddings(body, bodyBytes);
  if (route === 'POST /v1/messages/count_tokens') return { input_tokens: Math.ceil(bodyBytes / 4) };
  return undefined;
}

async function sendUnary(call: CallToAnswer, status: number, body: unknown): Promise<void> {
  const { request, response, behaviour } = call;
  await behaviour.waitBeforeEvent?.(0);
  const bytes = pack(behaviour, Buffer.from(JSON.stringify(body)));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.byteLength,
    ...namePacking(behaviour),
    ...(behaviour.retryAfter === undefined ? {} : { 'retry-after': behaviour.retryAfter }),
    ...nameRequest(findApi(request)),
  });
  if (behaviour.cutAfterEvents === undefined) {
    request.sentBytes += bytes.byteLength;
    return void response.end(bytes);
  }
  await send(call, bytes.subarray(0, bytes.byteLength / 2));
  await flush(call);
  cut(call);
}

async function sendStream(call: CallToAnswer, events: Iterable<StreamEvent>, writer: ReplyWriter): Promise<void> {
  const { response, behaviour } = call;
  let index = 0;
  for (const event of events) {
    await behaviour.waitBeforeEvent?.(index);
    if (index === behaviour.cutAfterEvents) {
      await flush(call);
      return cut(call);
    }
    if (index > 0 && behaviour.betweenEventsMs !== undefined)
      await delay(behaviour.betweenEventsMs, undefined, { ref: false });
    if (response.closed) return;
    const isError = index === behaviour.errorAfterEvents;
    for (const piece of writeFrames(isError ? writer.writeStreamError() : event, behaviour.framing))
      await send(call, pack(behaviour, piece));
    if (isError) break;
    index += 1;
  }
  response.end();
}

/** Compresses each piece separately: gzip allows compressed pieces to follow one another. */
function pack({ isPacked }: Behaviour, bytes: Buffer): Buffer {
  return isPacked === true ? gzipSync(bytes) : bytes;
}

function namePacking({ isPacked }: Behaviour): Record<string, string> {
  return isPacked === true ? { 'content-encoding': 'gzip' } : {};
}

/** Writes a piece immediately, and waits if the reader has too much unread data. */
async function send({ request, response }: CallToAnswer, piece: Buffer): Promise<void> {
  if (response.closed) return;
  request.sentBytes += piece.byteLength;
  if (response.write(piece)) return;
  request.waitsForReader += 1;
  const gone = new AbortController();
  await Promise.race([
    once(response, 'drain', { signal: gone.signal }),
    once(response, 'close', { signal: gone.signal }),
  ]).finally(() => gone.abort());
}

/** Ensures that written data has left the process: a reset would otherwise discard it. */
async function flush({ response }: CallToAnswer): Promise<void> {
  if (response.closed) return;
  response.flushHeaders();
  await new Promise<void>((resolve) => void response.socket?.write('', () => resolve()));
}

function cut({ request, response }: CallToAnswer): void {
  request.state = 'cut';
  response.socket?.resetAndDestroy();
}

function findApi({ path, headers }: RecordedRequest): Api {
  return path.startsWith('/v1/messages') || headers['anthropic-version'] !== undefined ? 'anthropic' : 'openai';
}

/**
 * Returns true if the call has the key. Anthropic accepts either header: older clients send a specific header with the
 * key, newer ones a bearer token.
 */
function readsKey(api: Api, { request: { headers }, apiKey }: CallToAnswer): boolean {
  if (apiKey === undefined || headers.authorization === `Bearer ${apiKey}`) return true;
  return api === 'anthropic' && headers['x-api-key'] === apiKey;
}

function nameRequest(api: Api): Record<string, string> {
  return api === 'anthropic' ? { 'request-id': 'req_fake' } : { 'x-request-id': 'req_fake' };
}

function parse(body: Buffer): CallBody | undefined {
  if (body.byteLength === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
