import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import getRawBody from 'raw-body';
import { AppError } from '@steward/runtime';
import { DEFAULT_BODY_LIMIT_BYTES, type Route } from './define-route.ts';
import { parseJson } from './parse-json.ts';

const EMPTY = Buffer.alloc(0);

/** How long the rest of a refused body is read off, so that its sender gets to see the answer. */
const LINGER_MS = 5_000;

/**
 * Reads at most the route's limit, counted after decompression. A declared length above it is refused before a byte is read;
 * what the sender still sends is thrown away while the answer is already on its way.
 */
export async function readRawBody(route: Route, request: IncomingMessage): Promise<Buffer> {
  const limit = route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  const stream = decompress(request);
  const declared = request.headers['content-length'];
  if (stream === request && declared !== undefined && Number(declared) <= limit) {
    return gatherBody(request, Number(declared));
  }
  try {
    return await getRawBody(stream, {
      limit,
      ...(stream === request && declared !== undefined ? { length: declared } : {}),
    });
  } catch (error) {
    discardRest(request);
    throw toAppError(error, limit);
  }
}

/**
 * A plain body of a known length within the limit: Node's parser counts it and fails a shorter one, so there is nothing to
 * watch. The general reader costs several times as much for the small bodies that most are.
 */
function gatherBody(request: IncomingMessage, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body: Buffer = EMPTY;
    let filled = 0;
    const fail = (type: string): void => reject(toAppError({ type }, 0));
    // The client may have left while the request waited to be read: no event comes any more.
    if (request.destroyed) return fail('stream.not.readable');
    request.on('data', (chunk: Buffer) => {
      // Into its place at once: a large body in parts and as a whole would be held twice.
      if (filled === 0) body = chunk.length === length ? chunk : Buffer.allocUnsafeSlow(length);
      if (body !== chunk) body.set(chunk, filled);
      filled += chunk.length;
    });
    request.on('end', () => {
      resolve(body);
      // The request, and with it this function, outlives the answer on a connection that is kept.
      body = EMPTY;
    });
    request.on('error', () => fail('request.aborted'));
    request.on('close', () => {
      if (!request.readableEnded) fail('request.aborted');
    });
  });
}

/** Of Node's pool of small buffers, which cannot be given back. */
const LARGEST_SHARED_BYTES = 64 * 1024;

/**
 * Gives the memory of a body that nobody needs any more back at once, not when the collector comes by: of twenty requests
 * with 1 MiB at one moment a third of the memory was of bodies long dealt with. The buffer is empty from then on.
 */
export function releaseBody(body: Buffer): void {
  const memory = body.buffer;
  // A smaller one may lie among others in a piece of memory they share.
  const isItsOwn = memory instanceof ArrayBuffer && memory.byteLength === body.length;
  if (isItsOwn && body.length > LARGEST_SHARED_BYTES) memory.transfer(0);
}

/** For a body that is read later: what says itself that it is too large is refused before anything else. */
export function refuseDeclaredSize(route: Route, request: IncomingMessage): void {
  const limit = route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  const length = Number(request.headers['content-length'] ?? 0);
  if (length <= limit) return;
  discardRest(request);
  throw toAppError({ type: 'entity.too.large', length }, limit);
}

function decompress(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case 'identity':
      return request;
    case 'gzip':
      return pipeInto(request, createGunzip());
    case 'deflate':
      return pipeInto(request, createInflate());
    case 'br':
      return pipeInto(request, createBrotliDecompress());
    default:
      discardRest(request);
      throw new AppError('unsupported_media_type', {
        message: 'The Content-Encoding is not supported. Send the body plain, gzip, deflate or br.',
      });
  }
}

function pipeInto<T extends NodeJS.WritableStream & Readable>(request: IncomingMessage, inflater: T): T {
  request.once('aborted', () => inflater.destroy(new Error('the client is gone')));
  return request.pipe(inflater);
}

/** Reads off what a refused sender still sends, for a while. */
export function discardRest(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}

interface RawBodyError {
  readonly type?: string;
  readonly length?: number;
  readonly expected?: number;
  readonly received?: number;
}

/** What the reader says of a sender that leaves while it reads, and of one that has left before. */
const SENDER_GONE: ReadonlySet<unknown> = new Set(['request.aborted', 'stream.not.readable']);

/** True when a body could not be read because its sender left in the middle of it. */
export function isSenderGone(error: AppError): boolean {
  return SENDER_GONE.has((error.cause as RawBodyError | undefined)?.type);
}

/** Turns the reader's errors into ours. */
function toAppError(error: unknown, limit: number): AppError {
  const { type, length, expected, received } = error as RawBodyError;
  if (type === 'entity.too.large') {
    const declared = length ?? expected;
    const actual = declared ?? received ?? limit + 1;
    // Of a body that does not say its length, reading ends where it is too large.
    const size = declared === undefined ? `at least ${actual}` : String(actual);
    return new AppError('payload_too_large', {
      message: `The request body has ${size} bytes; this route accepts at most ${limit}.`,
      detail: { limit, actual, overage: actual - limit },
    });
  }
  return new AppError('bad_request', { message: 'The request body could not be read to its end.', cause: error });
}

/** The parsed body for the route's kind, checked for its media type. */
export function parseBody(route: Route, request: IncomingMessage, bytes: Buffer): unknown {
  if (bytes.length === 0 && route.bodyOptional === true) return {};
  if (route.bodyKind === 'form') {
    requireMediaType(request, 'application/x-www-form-urlencoded');
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  }
  requireJson(request);
  return parseJson(bytes);
}

/** Accepts `application/json` and `application/<anything>+json`, with or without parameters. */
export function requireJson(request: Pick<IncomingMessage, 'headers'>): void {
  const type = readMediaType(request);
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return;
  throw new AppError('unsupported_media_type');
}

function requireMediaType(request: IncomingMessage, wanted: string): void {
  if (readMediaType(request) === wanted) return;
  throw new AppError('unsupported_media_type', { message: `Send the body as ${wanted}.` });
}

function readMediaType(request: Pick<IncomingMessage, 'headers'>): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
