import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@steward/contracts';
import { continueTrace, readTraceId } from '@steward/crypto';
import type { Logger, Metrics } from '@steward/process';
import { answerApiError, type AnswerError } from './door.ts';
import { toClientError } from './error-answer.ts';
import type { RequestFacts, RequestHandler } from './handle-request.ts';
import type { HttpRequest } from './http-request.ts';
import { readRequestId } from './request-id.ts';
import { sendBytes, sendHtml, sendJson } from './send-answer.ts';

/** Handles a request to its end; never rejects. */
export type Serve = (request: HttpRequest, response: ServerResponse) => Promise<void>;

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Node parses 35 methods, and anybody may send them to every path: each would create a series for ever. */
const LABELLED_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Wraps a handler with the common parts of every request: ids, log line, metric, error body. */
export function createServe(options: { readonly logger: Logger; readonly metrics: Metrics }) {
  const duration = options.metrics.histogram(
    'steward_http_request_duration_seconds',
    'Time from the start of the request to the end of its answer.',
    ['method', 'route', 'status'],
    DURATION_BUCKETS_SECONDS,
  );
  return (routePath: string, handle: RequestHandler, answerError: AnswerError = answerApiError): Serve =>
    async (request, response) => {
      const { message } = request;
      const startedAt = performance.now();
      const requestId = readRequestId(message.headers['x-request-id']);
      const traceparent = continueTrace(message.headers['traceparent']);
      const ids = { request_id: requestId, trace_id: readTraceId(traceparent) };
      const facts: RequestFacts = { requestId, traceparent, logger: options.logger.child(ids) };
      // Emitted once; `once` would cost a wrapper per request.
      response.on('close', () => {
        const seconds = (performance.now() - startedAt) / 1000;
        const method = message.method ?? '';
        const methodLabel = LABELLED_METHODS.has(method) ? method : 'other';
        const status = response.writableFinished || response.headersSent ? response.statusCode : 499;
        duration.observe({ method: methodLabel, route: routePath, status: String(status) }, seconds);
        logServed({ method, routePath, status, seconds, facts });
      });
      try {
        requireOneHost(message);
        await handle(request, response, facts);
      } catch (error) {
        facts.error = toClientError(error);
        sendError(response, answerError(facts.error, requestId, message.headers), facts);
      }
    };
}

/** A proxy in front and the service may read two Host headers differently (API-5). */
function requireOneHost({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) throw new AppError('bad_request', { message: 'The request has more than one Host header.' });
}

function sendError(response: ServerResponse, answer: ReturnType<AnswerError>, facts: RequestFacts): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { error } = facts;
  const headers: Record<string, string> = {};
  if (error?.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const retryAfter = error?.retryAfterSeconds ?? (error?.status === 429 || error?.status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfter)));
  Object.assign(headers, error?.headers, answer.headers);
  if ('bytes' in answer) sendBytes(response, { ...answer, headers }, facts);
  else if ('html' in answer) sendHtml(response, { ...answer, headers }, facts);
  else sendJson(response, { ...answer, headers }, facts);
}

interface ServedRequest {
  readonly method: string;
  readonly routePath: string;
  readonly status: number;
  readonly seconds: number;
  readonly facts: RequestFacts;
}

/** The route's template, never the URL: a path may contain a secret, a query string anything. */
function logServed({ method, routePath, status, seconds, facts }: ServedRequest): void {
  const { error, logger, principal } = facts;
  const fields = {
    method,
    route: routePath,
    status,
    duration_ms: Math.round(seconds * 10_000) / 10,
    outcome: status < 400 ? 'ok' : status === 499 ? 'client_gone' : status < 500 ? 'refused' : 'failed',
    ...(principal === undefined
      ? {}
      : {
          account_id: principal.accountId,
          actor_kind: principal.kind,
          actor_id: principal.apiKeyId ?? principal.userId,
        }),
    ...(error === undefined ? {} : { error_code: error.code }),
  };
  if (error !== undefined && error.status >= 500)
    logger.error('http.request_served', { ...fields, ...error.internal, error: error.cause ?? error });
  else logger.info('http.request_served', fields);
}
