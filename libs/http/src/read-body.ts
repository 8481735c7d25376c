import { raw, type Request, type Response } from 'express';
import { AppError } from '@steward/runtime';
import { DEFAULT_BODY_LIMIT_BYTES, type Route } from './define-route.ts';
import { parseJson } from './parse-json.ts';

type RawParser = (request: Request, response: Response, next: (error?: unknown) => void) => void;
const parsers = new Map<number, RawParser>();

/** Reads at most the route's limit: a declared length above it is refused before a byte is read. */
export function readRawBody(route: Route, request: Request, response: Response): Promise<Buffer> {
  const limit = route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  const parser = findParser(limit);
  return new Promise((resolve, reject) => {
    parser(request, response, (error) => {
      if (error !== undefined && error !== null) reject(toAppError(error, limit));
      else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
  });
}

function findParser(limit: number): RawParser {
  const known = parsers.get(limit);
  if (known !== undefined) return known;
  const created = raw({ type: () => true, limit }) as RawParser;
  parsers.set(limit, created);
  return created;
}

interface BodyParserError {
  readonly type?: string;
  readonly length?: number;
  readonly expected?: number;
  readonly received?: number;
}

/** Turns the parser's errors into ours. */
function toAppError(error: unknown, limit: number): AppError {
  const { type, length, expected, received } = error as BodyParserError;
  switch (type) {
    case 'entity.too.large': {
      const actual = length ?? expected ?? received ?? limit + 1;
      return new AppError('payload_too_large', {
        message: `The request body has ${actual} bytes; this route accepts at most ${limit} (${actual - limit} too many).`,
        detail: { limit, actual, overage: actual - limit },
      });
    }
    case 'encoding.unsupported':
      return new AppError('unsupported_media_type', {
        message: 'The Content-Encoding is not supported. Send the body plain, gzip, deflate or br.',
      });
    default:
      return new AppError('bad_request', { message: 'The request body could not be read to its end.', cause: error });
  }
}

/** The parsed body for the route's kind, checked for its media type. `json-later` is left to the handler. */
export function parseBody(route: Route, request: Request, bytes: Buffer): unknown {
  if (route.bodyKind === 'json-later') return undefined;
  if (bytes.length === 0 && route.bodyOptional === true) return {};
  if (route.bodyKind === 'form') {
    requireMediaType(request, 'application/x-www-form-urlencoded');
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  }
  requireJson(request);
  return parseJson(bytes);
}

/** Accepts `application/json` and `application/<anything>+json`, with or without parameters. */
export function requireJson(request: Pick<Request, 'headers'>): void {
  const type = readMediaType(request);
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return;
  throw new AppError('unsupported_media_type');
}

function requireMediaType(request: Request, wanted: string): void {
  if (readMediaType(request) === wanted) return;
  throw new AppError('unsupported_media_type', { message: `Send the body as ${wanted}.` });
}

function readMediaType(request: Pick<Request, 'headers'>): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
