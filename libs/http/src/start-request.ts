import type { IncomingMessage } from 'node:http';
import { continueTrace, isTraceparent, nameTrace } from '@steward/crypto';
import type { Logger, Metrics } from '@steward/process';
import { isRecorded, openSpan, withinSpan, type OpenSpan } from '@steward/telemetry';
import type { AnswerError } from './surface.ts';
import type { Handler, RequestFacts } from './request-facts.ts';
import { readRequestId } from './request-id.ts';

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Methods used as a label value. Node accepts 35 methods, and any client may send them to every path; each would
 * permanently add a series to the metric.
 */
const LABELLED_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Path label of a request that matches no route. */
const UNKNOWN_PATH = '(unknown)';

/**
 * Returns a handler that assigns the request its ids and its trace context, and records its log line and its metric
 * when it ends.
 */
export function startRequest({ logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics }): Handler {
  const duration = metrics.histogram(
    'steward_http_request_duration_seconds',
    'Time from the start of the request to the end of its response.',
    ['method', 'route', 'status'],
    DURATION_BUCKETS_SECONDS,
  );
  return (request, response, next) => {
    const startedAt = performance.now();
    const requestId = readRequestId(request.headers['x-request-id']);
    const sent = request.headers['traceparent'];
    const traceparent = continueTrace(sent);
    const ids = { request_id: requestId, ...nameTrace(traceparent) };
    const span = isRecorded(traceparent) ? openRequestSpan(request, traceparent, sent) : undefined;
    const facts: RequestFacts = { requestId, traceparent, logger: logger.child(ids), routePath: UNKNOWN_PATH };
    response.locals = facts;
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    // `on` is used although the event is emitted once: `once` would cost a wrapper per request.
    response.on('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const { method } = request;
      const status = response.writableFinished || response.headersSent ? response.statusCode : 499;
      const methodLabel = LABELLED_METHODS.has(method) ? method : 'other';
      duration.observe({ method: methodLabel, route: facts.routePath, status: String(status) }, seconds);
      logServed({ method, status, seconds, facts });
      if (span !== undefined) endRequestSpan(span, { method: methodLabel, status, facts });
    });
    withinSpan(span, next);
  };
}

/** Matches the paths of health probes, which are requested every few seconds. */
const PROBES = /\/(?:livez|readyz|health)(?:\?|$)/;

/**
 * Opens the span of a request; it contains neither the path nor the query, which may contain a secret or content.
 * Health probes have no span.
 */
function openRequestSpan(request: IncomingMessage, traceparent: string, sent: unknown): OpenSpan | undefined {
  if (PROBES.test(request.url ?? '')) return undefined;
  return openSpan({ name: 'HTTP', kind: 'server', traceparent, parent: isTraceparent(sent) ? sent : null });
}

function endRequestSpan(
  span: OpenSpan,
  { method, status, facts }: Pick<ServedRequest, 'status' | 'facts'> & { readonly method: string },
): void {
  const { error, principal, routePath, requestId } = facts;
  const spanMethod = method === 'other' ? '_OTHER' : method;
  const isKnown = routePath !== UNKNOWN_PATH;
  span.rename(isKnown ? `${spanMethod} ${routePath}` : spanMethod);
  span.set({
    'http.request.method': spanMethod,
    'http.route': isKnown ? routePath : undefined,
    'http.response.status_code': status,
    'steward.request.id': requestId,
    'steward.account.id': principal?.accountId,
    'steward.error.code': error?.code,
  });
  span.end(status >= 500 ? (error?.code ?? String(status)) : undefined);
}

/** Returns a handler that sets the route's path for the log and the metric, and its error format. */
export function nameRoute(routePath: string, answerError?: AnswerError): Handler {
  return (_request, response, next) => {
    response.locals.routePath = routePath;
    response.locals.answerError = answerError;
    next();
  };
}

interface ServedRequest {
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  readonly facts: RequestFacts;
}

function logServed({ method, status, seconds, facts }: ServedRequest): void {
  const { error, logger, principal, routePath } = facts;
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
