import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { passStream, type Through } from './pass-stream.ts';

interface AnswerHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface JsonAnswer extends AnswerHead {
  /** Value sent as JSON; undefined for a response without a body. */
  readonly body?: unknown;
  /** Called once, after the response was sent completely or its client disconnected. */
  readonly onSent?: OnSent;
}

export type OnSent = (isWritten: boolean) => void;

export interface HtmlAnswer extends AnswerHead {
  readonly html: string;
}

export interface BytesAnswer extends AnswerHead {
  readonly bytes: Uint8Array;
  /** Media type of the body; undefined if `headers` contains it. */
  readonly mediaType?: string;
  readonly onSent?: OnSent;
}

export interface SourceAnswer extends AnswerHead {
  readonly source: Readable;
  /** Inspects or changes the source while it is sent; if undefined, the bytes are sent unchanged. */
  readonly through?: Through;
}

/**
 * Headers of a page, which must not run scripts, be framed or be indexed by search engines, and may submit forms only
 * to its origin.
 */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Robots-Tag': 'noindex',
} as const;

/** Sends head and body in one write. */
export function sendJson(response: ServerResponse, answer: JsonAnswer): void {
  const { status, headers, body, onSent } = answer;
  if (onSent !== undefined) tellWhenSent(response, onSent);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? undefined : 'application/json; charset=utf-8';
  sendText(response, { status, type, headers, text });
}

/**
 * Calls `onSent` when the response has been sent or the client has disconnected. If the client disconnected while the
 * response was being created, the response is already closed and emits no further event.
 */
function tellWhenSent(response: ServerResponse, onSent: OnSent): void {
  if (response.closed) onSent(false);
  else response.once('close', () => onSent(response.writableFinished));
}

export function sendHtml(response: ServerResponse, { status, headers, html }: HtmlAnswer): void {
  sendText(response, { status, headers: { ...PAGE_HEADERS, ...headers }, text: html });
}

/** Maximum size of a body that is copied in order to be written together with the head. */
const MAX_JOINED_BYTES = 16 * 1024;

/**
 * Sends bytes unchanged. A small body is passed as a Latin-1 string, which has one character for each byte, because
 * Node writes the head and the body in one part only if the body is a string.
 */
export function sendBytes(response: ServerResponse, answer: BytesAnswer): void {
  const { status, headers = {}, bytes, mediaType, onSent } = answer;
  if (onSent !== undefined) tellWhenSent(response, onSent);
  setHeaders(response, headers);
  if (mediaType !== undefined) response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes.byteLength);
  response.writeHead(status);
  if (bytes.byteLength > MAX_JOINED_BYTES) response.end(bytes);
  else response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'latin1');
}

/**
 * Forwards bytes as they arrive, as fast as the client reads them. If either side is closed, the other one is closed
 * too.
 *
 * @returns a promise that resolves when the response is closed; undefined for a HEAD request
 */
export function sendSource(response: ServerResponse, answer: SourceAnswer): Promise<void> | void {
  const { status, headers = {}, source, through } = answer;
  try {
    setHeaders(response, headers);
  } catch (error) {
    // The headers may come from another server, and may be invalid.
    discard(answer, error as Error);
    throw error;
  }
  if (response.req.method === 'HEAD') {
    discard(answer, new Error('a response to HEAD has no body'));
    response.writeHead(status).end();
    return;
  }
  response.statusCode = status;
  // The head is flushed, since clients wait for it, and a model may need a minute to send the first byte. If the first
  // byte is already available, it is sent together with the head.
  const head = setImmediate(() => {
    if (!response.headersSent) response.flushHeaders();
    joinHead(response);
  });
  return new Promise<void>((resolve) => {
    const end = (error: Error | undefined): void => {
      clearImmediate(head);
      // An error can only be signaled by closing the connection, because the head may have been sent.
      if (error !== undefined) response.destroy();
      resolve();
    };
    passStream(source, response, end, through);
  });
}

/**
 * Closes a source that is not sent, and ends its `through`, which would otherwise wait for the end of the source. A
 * response body of undici fails when it is destroyed before it was read, and without a listener its error would end the
 * process.
 */
function discard({ source, through }: SourceAnswer, error: Error): void {
  source.on('error', () => undefined).destroy();
  through?.end(error);
}

/**
 * Joins the text of the head, which Node concatenates from eighty parts and keeps until the end of the response. The
 * parts take 2.4 KB for each open stream; V8 replaces them with one string when the text is searched.
 */
function joinHead(response: ServerResponse & { readonly _header?: string | null }): void {
  HEAD_START.test(response._header ?? '');
}

const HEAD_START = /^HTTP/;

interface TextAnswer {
  readonly status: number;
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text: string | undefined;
}

function sendText(response: ServerResponse, { status, type, headers = {}, text }: TextAnswer): void {
  setHeaders(response, headers);
  if (text === undefined) {
    if (status !== 204 && status !== 304) response.setHeader('Content-Length', '0');
    response.writeHead(status).end();
    return;
  }
  if (type !== undefined && !response.hasHeader('Content-Type')) response.setHeader('Content-Type', type);
  const bytes = Buffer.byteLength(text);
  response.setHeader('Content-Length', bytes);
  // A response in ASCII, as nearly all are, is copied by Node without being encoded.
  response.writeHead(status).end(text, bytes === text.length ? 'latin1' : 'utf8');
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(headers)) response.setHeader(name, headers[name] as string);
}
