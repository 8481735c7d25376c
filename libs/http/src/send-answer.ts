import { ServerResponse, type IncomingMessage } from 'node:http';
import helmet from 'helmet';

/** The headers that tell a browser what it may do with an answer. */
export const protectBrowsers = helmet({
  contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
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
export function setBaseHeaders(response: ServerResponse, requestId: string): void {
  for (let index = 0; index < BASE_HEADERS.length; index += 2)
    response.setHeader(BASE_HEADERS[index] ?? '', BASE_HEADERS[index + 1] ?? '');
  response.setHeader('X-Request-Id', requestId);
}

export interface JsonAnswer {
  readonly status: number;
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Left out for an answer without a body. */
  readonly body?: unknown;
}

/** Head and body in one write. */
export function sendJson(response: ServerResponse, { status, requestId, headers, body }: JsonAnswer): void {
  const head: string[] = [];
  // A list is written as it is: a header of the route's own that replaces one of these needs the slower way.
  if (headers === undefined) head.push(...BASE_HEADERS, 'X-Request-Id', requestId);
  else {
    setBaseHeaders(response, requestId);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  }
  if (body === undefined) {
    if (status !== 204 && status !== 304) head.push('Content-Length', '0');
    response.writeHead(status, head).end();
    return;
  }
  const text = JSON.stringify(body);
  if (!response.hasHeader('Content-Type')) head.push('Content-Type', 'application/json; charset=utf-8');
  const bytes = Buffer.byteLength(text);
  head.push('Content-Length', String(bytes));
  // Nearly every answer is ASCII, which Node copies without encoding it.
  response.writeHead(status, head).end(text, bytes === text.length ? 'latin1' : 'utf8');
}
