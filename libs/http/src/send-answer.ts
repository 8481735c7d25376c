import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import helmet from 'helmet';
import { passStream } from './pass-stream.ts';

/** Security headers for browsers. */
export const protectBrowsers = helmet({
  contentSecurityPolicy: {
    directives: {
      'upgrade-insecure-requests': null,
      // Everything is served from here; the defaults allow styles and fonts from any https host. The API page uses
      // inline styles.
      'style-src': ["'self'", "'unsafe-inline'"],
      'font-src': ["'self'", 'data:'],
    },
  },
  hsts: false,
  referrerPolicy: { policy: 'no-referrer' },
});

/**
 * Name, value, name, value: the form that Node writes without checks. They are the same in every response, and setting
 * a dozen one by one took 5 % of the gateway's time while it accepts triggers.
 */
const BASE_HEADERS: readonly string[] = [...listBrowserHeaders(), 'Cache-Control', 'no-store'];

function listBrowserHeaders(): string[] {
  const nobody = { method: 'GET' } as IncomingMessage;
  const response = new ServerResponse(nobody);
  protectBrowsers(nobody, response, () => undefined);
  return response.getHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}

/** For a handler that writes the response itself. */
export function setBaseHeaders(response: ServerResponse, facts: AnswerFacts): void {
  const headers = listHeaders(facts);
  for (let index = 0; index < headers.length; index += 2)
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
}

/** Facts of the request for the response headers. */
export interface AnswerFacts {
  readonly requestId: string;
  readonly budgetHeaders?: readonly string[];
}

function listHeaders({ requestId, budgetHeaders = [] }: AnswerFacts): string[] {
  return [...BASE_HEADERS, 'X-Request-Id', requestId, ...budgetHeaders];
}

interface AnswerHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface JsonAnswer extends AnswerHead {
  /** Not set for a response without a body. */
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
  readonly mediaType: string;
}

export interface SourceAnswer extends AnswerHead {
  readonly source: Readable;
}

/** A page has no script, is not framed or indexed by search engines, and may only post a form to its origin. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Robots-Tag': 'noindex',
} as const;

/** Sends head and body in one write. */
export function sendJson(response: ServerResponse, answer: JsonAnswer, facts: AnswerFacts): void {
  const { status, headers, body, onSent } = answer;
  if (onSent !== undefined) tellWhenSent(response, onSent);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? undefined : 'application/json; charset=utf-8';
  sendText(response, { status, type, headers, text }, facts);
}

/** If the client disconnected while the response was built, it is closed already and emits no further event. */
function tellWhenSent(response: ServerResponse, onSent: OnSent): void {
  if (response.closed) onSent(false);
  else response.once('close', () => onSent(response.writableFinished));
}

export function sendHtml(response: ServerResponse, { status, headers, html }: HtmlAnswer, facts: AnswerFacts): void {
  sendText(response, { status, headers: { ...PAGE_HEADERS, ...headers }, text: html }, facts);
}

export function sendBytes(response: ServerResponse, answer: BytesAnswer, facts: AnswerFacts): void {
  const { status, headers = {}, bytes, mediaType } = answer;
  setBaseHeaders(response, facts);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.writeHead(status, { 'Content-Type': mediaType, 'Content-Length': bytes.byteLength }).end(bytes);
}

/** Passes bytes on as they arrive, as fast as the client reads them. If either end closes, the other is closed. */
export async function sendSource(
  response: ServerResponse,
  { status, headers = {}, source }: SourceAnswer,
  facts: AnswerFacts,
): Promise<void> {
  setBaseHeaders(response, facts);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.writeHead(status);
  if (response.req.method === 'HEAD') {
    source.destroy();
    response.end();
    return;
  }
  // Clients wait for the head, but the first byte of a model may take a minute. A first byte that is already there is
  // sent with the head.
  const head = setImmediate(() => {
    if (!source.readableDidRead) response.flushHeaders();
  });
  await new Promise<void>((resolve) => {
    passStream(source, response, (error) => {
      clearImmediate(head);
      // After the head an error can only be signalled by breaking the connection.
      if (error !== undefined) response.destroy();
      resolve();
    });
  });
}

interface TextAnswer {
  readonly status: number;
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text: string | undefined;
}

function sendText(response: ServerResponse, { status, type, headers, text }: TextAnswer, facts: AnswerFacts): void {
  // The list is written unchanged: a route's own header that replaces one of these needs the slower way.
  const head = headers === undefined ? listHeaders(facts) : [];
  if (headers !== undefined) {
    setBaseHeaders(response, facts);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  }
  if (text === undefined) {
    if (status !== 204 && status !== 304) head.push('Content-Length', '0');
    response.writeHead(status, head).end();
    return;
  }
  if (type !== undefined && !response.hasHeader('Content-Type')) head.push('Content-Type', type);
  const bytes = Buffer.byteLength(text);
  head.push('Content-Length', String(bytes));
  // Nearly every response is ASCII, which Node copies without encoding it.
  response.writeHead(status, head).end(text, bytes === text.length ? 'latin1' : 'utf8');
}
