import type { ServerResponse } from 'node:http';
import { type AppError, type Logger, type Metrics } from '@steward/runtime';
import { buildErrorBody, toClientError } from './error-answer.ts';
import type { RequestFacts, RequestHandler } from './handle-request.ts';
import type { HttpRequest } from './http-request.ts';
import { readRequestId } from './request-id.ts';
import { sendJson } from './send-answer.ts';

/** Handles a request to its end, whatever happens. */
export type Serve = (request: HttpRequest, response: ServerResponse) => Promise<void>;

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Wraps a handler with what every request gets: id, log line, metric, error body. */
export function createServe(options: { readonly logger: Logger; readonly metrics: Metrics }) {
  const duration = options.metrics.histogram(
    'steward_http_request_duration_seconds',
    'Time from the request to the end of its answer.',
    ['method', 'route', 'status'],
    DURATION_BUCKETS_SECONDS,
  );
  return (routePath: string, handle: RequestHandler): Serve =>
    async (request, response) => {
      const { message } = request;
      const startedAt = performance.now();
      const requestId = readRequestId(message.headers['x-request-id']);
      const facts: RequestFacts = { requestId, logger: () => options.logger.child({ request_id: requestId }) };
      // Emitted once; `once` would cost a wrapper per request.
      response.on('close', () => {
        const seconds = (performance.now() - startedAt) / 1000;
        const method = message.method ?? '';
        const status = response.writableFinished || response.headersSent ? response.statusCode : 499;
        duration.observe({ method, route: routePath, status: String(status) }, seconds);
        logServed(options.logger, { method, routePath, status, seconds, facts });
      });
      try {
        await handle(request, response, facts);
      } catch (error) {
        facts.error = toClientError(error);
        answerError(response, facts.error, requestId);
      }
    };
}

function answerError(response: ServerResponse, error: AppError, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers: Record<string, string> = {};
  if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const retryAfter = error.retryAfterSeconds ?? (error.status === 429 || error.status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfter)));
  sendJson(response, { status: error.status, requestId, headers, body: buildErrorBody(error, requestId) });
}

interface ServedRequest {
  readonly method: string;
  readonly routePath: string;
  readonly status: number;
  readonly seconds: number;
  readonly facts: RequestFacts;
}

/** The route's template, never the URL: a path may hold a secret, a query string anything. */
function logServed(logger: Logger, served: ServedRequest): void {
  const { method, routePath, status, seconds, facts } = served;
  const { error, principal, requestId } = facts;
  const fields = {
    request_id: requestId,
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
