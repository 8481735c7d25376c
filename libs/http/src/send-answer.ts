import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import helmet from 'helmet';
import { passStream } from './pass-stream.ts';

/** The headers that tell a browser what it may do with an answer. */
export const protectBrowsers = helmet({
  contentSecurityPolicy: {
    directives: {
      'upgrade-insecure-requests': null,
      // Everything comes from here; the defaults take styles and fonts from any https host. The API page styles inline.
      'style-src': ["'self'", "'unsafe-inline'"],
      'font-src': ["'self'", 'data:'],
    },
  },
  hsts: false,
  referrerPolicy: { policy: 'no-referrer' },
});

/**
 * Name, value, name, value: the form that Node writes without looking at each. They are the same in every answer, and
 * setting a dozen one by one took 5 % of the gateway's time while it accepts triggers.
 */
const BASE_HEADERS: readonly string[] = [...listBrowserHeaders(), 'Cache-Control', 'no-store'];

function listBrowserHeaders(): string[] {
  const nobody = { method: 'GET' } as IncomingMessage;
  const response = new ServerResponse(nobody);
  protectBrowsers(nobody, response, () => undefined);
  return response.getHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}

/** For an answer that writes itself. */
export function setBaseHeaders(response: ServerResponse, facts: AnswerFacts): void {
  const headers = listHeaders(facts);
  for (let index = 0; index < headers.length; index += 2)
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
}

/** What the headers of an answer say of its request. */
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
  /** Left out for an answer without a body. */
  readonly body?: unknown;
  /** Called once, when it was written to its end, or its client left before. */
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

/** A page carries no script, is in no frame and in no search engine; it may post a form to where it came from. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Robots-Tag': 'noindex',
} as const;

/** Head and body in one write. */
export function sendJson(response: ServerResponse, answer: JsonAnswer, facts: AnswerFacts): void {
  const { status, headers, body, onSent } = answer;
  if (onSent !== undefined) tellWhenSent(response, onSent);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? undefined : 'application/json; charset=utf-8';
  sendText(response, { status, type, headers, text }, facts);
}

/** A client that left while its answer was made has closed it already: nothing tells so again. */
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

/** Passes bytes on as they come, as fast as the client takes them. Whoever of both ends first ends the other. */
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
  // A client waits for the head alone, too: the first byte of a model may take a minute. One that is there already goes with it.
  const head = setImmediate(() => {
    if (!source.readableDidRead) response.flushHeaders();
  });
  await new Promise<void>((resolve) => {
    passStream(source, response, (error) => {
      clearImmediate(head);
      // After the head nothing can be answered any more: the broken connection tells.
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
  // A list is written as it is: a header of the route's own that replaces one of these needs the slower way.
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
  // Nearly every answer is ASCII, which Node copies without encoding it.
  response.writeHead(status, head).end(text, bytes === text.length ? 'latin1' : 'utf8');
}
