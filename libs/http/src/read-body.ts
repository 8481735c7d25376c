import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '@steward/contracts';
import { DEFAULT_BODY_LIMIT_BYTES, type Route } from './define-route.ts';
import { requireJson, requireMediaType } from './media-type.ts';
import { parseJson } from './parse-json.ts';

/** Time for which the rest of a rejected body is read and discarded, so that its sender can read the response. */
const LINGER_MS = 5_000;

/**
 * Reads a body up to the route's limit, counted after decompression. If the declared length of an uncompressed body is
 * above the limit, the body is rejected before it is read; bytes that the client still sends are discarded while the
 * response is being sent.
 */
export async function readRawBody(route: Route, request: IncomingMessage): Promise<Buffer> {
  const stream = decompress(request);
  if (stream === request) refuseDeclaredSize(route, request);
  try {
    return await gather(stream, readLimit(route));
  } catch (error) {
    discardRest(request);
    if (error instanceof AppError) throw error;
    throw refuseUnreadable(error, stream === request);
  }
}

/**
 * Yields a body as it arrives, decompressed, at the reader's pace. It throws an error when the route's limit is
 * exceeded; if the reader stops, the rest is not read.
 */
export async function* readBodyParts(route: Route, request: IncomingMessage): AsyncGenerator<Buffer> {
  const stream = decompress(request);
  const limit = readLimit(route);
  let received = 0;
  try {
    for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      received += part.length;
      if (received > limit) throw refuseSize(limit, received, `at least ${received}`);
      yield part;
    }
  } catch (error) {
    throw error instanceof AppError ? error : refuseUnreadable(error, stream === request);
  } finally {
    if (stream !== request) {
      request.unpipe();
      stream.destroy();
    }
  }
}

function refuseUnreadable(error: unknown, isPlain: boolean): AppError {
  const message = 'The request body could not be read completely.';
  return new AppError('bad_request', { message, cause: isPlain ? new SenderGoneError() : error });
}

/**
 * Reads a whole stream. Only the limit is checked here, since Node's parser already checks the declared length: a
 * library that checks both takes a tenth of the time of a small request (ADR 0031).
 */
function gather(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The request may have been destroyed before the first read: in that case no further event is emitted.
    if (!stream.readable) return reject(new SenderGoneError());
    // The data is held in variables that are cleared: on a keep-alive connection the request, and with it this closure,
    // exists longer than the response.
    let parts: Buffer[] = [];
    let received = 0;
    const take = (part: Buffer): void => {
      received += part.length;
      parts.push(part);
      if (received <= limit) return;
      stream.off('data', take).pause();
      parts = [];
      // The total size is unknown, because reading stops at the limit.
      reject(refuseSize(limit, received, `at least ${received}`));
    };
    stream.on('data', take);
    stream.on('end', () => {
      resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, received));
      parts = [];
    });
    stream.on('error', reject);
    stream.on('close', () => {
      if (!stream.readableEnded) reject(new SenderGoneError());
    });
  });
}

/**
 * Rejects a body whose declared length is above the limit; for a body that is read later, this is called before the
 * handler.
 */
export function refuseDeclaredSize(route: Route, request: IncomingMessage): void {
  const limit = readLimit(route);
  const length = Number(request.headers['content-length'] ?? 0);
  if (length <= limit) return;
  discardRest(request);
  throw refuseSize(limit, length, String(length));
}

function readLimit({ bodyLimitBytes = DEFAULT_BODY_LIMIT_BYTES }: Route): number {
  return bodyLimitBytes;
}

function refuseSize(limit: number, actual: number, size: string): AppError {
  return new AppError('payload_too_large', {
    message: `The request body has ${size} bytes; this route accepts at most ${limit}.`,
    detail: { limit, actual, overage: actual - limit },
  });
}

/**
 * Binary logarithm of the maximum window size that a frame may declare: 8 MiB, as in RFC 9659 for HTTP, instead of the
 * default of 128 MiB.
 */
const ZSTD_WINDOW_LOG = 23;

function decompress(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case 'identity':
      return request;
    case 'gzip':
    case 'x-gzip':
      return pipeInto(request, createGunzip());
    case 'deflate':
      return pipeInto(request, createInflate());
    case 'br':
      return pipeInto(request, createBrotliDecompress());
    case 'zstd':
      return pipeInto(request, createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }));
    default:
      discardRest(request);
      throw new AppError('unsupported_media_type', {
        message: 'The Content-Encoding is not supported. Send the body uncompressed or with gzip, deflate, br or zstd.',
      });
  }
}

function pipeInto<T extends NodeJS.WritableStream & Readable>(request: IncomingMessage, inflater: T): T {
  // The listener is also needed after reading has stopped, because an error event without a listener terminates the
  // process.
  inflater.on('error', () => undefined);
  request.once('aborted', () => inflater.destroy(new Error('the client disconnected')));
  return request.pipe(inflater);
}

/**
 * Discards the rest of a body that is not needed. If the rest does not arrive within a limited time, the connection is
 * closed.
 */
export function discardRest(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}

class SenderGoneError extends Error {}

/** Returns true if a body could not be read because its sender disconnected. */
export function isSenderGone({ cause }: AppError): boolean {
  return cause instanceof SenderGoneError;
}

/** Parses the body according to the route's body kind, after a check of its media type. */
export function parseBody(route: Route, request: IncomingMessage, bytes: Buffer): unknown {
  if (bytes.length === 0 && route.bodyOptional === true) return {};
  if (route.bodyKind === 'form') {
    requireMediaType(request, 'application/x-www-form-urlencoded');
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  }
  requireJson(request);
  return parseJson(bytes);
}
