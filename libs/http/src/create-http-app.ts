import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { AppError, type Logger, type Metrics } from '@steward/runtime';
import type { Route } from './define-route.ts';
import { buildErrorBody, toClientError } from './error-answer.ts';
import { bindRoute, type RequestFacts, type RequestHandler } from './handle-request.ts';
import type { Authenticate } from './principal.ts';
import { readRequestId } from './request-id.ts';
import { compareSpecificity, listPaths, toExpressPath } from './route-paths.ts';
import { createDocsRouter } from './docs-page.ts';

export interface HttpAppOptions {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** OpenAPI document served at /docs/api/openapi.json; no docs page when left out. */
  readonly openApi?: object;
  /** Proxies whose X-Forwarded-For is believed (Express "trust proxy"). None by default. */
  readonly trustedProxies?: readonly string[];
}

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers the route table with Express; validation, errors, request ids, access log and metrics are the same for all. */
export function createHttpApp(options: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  if (options.trustedProxies !== undefined && options.trustedProxies.length > 0) {
    app.set('trust proxy', [...options.trustedProxies]);
  }
  const serve = createServe(options);
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
      hsts: false,
      referrerPolicy: { policy: 'no-referrer' },
    }),
  );
  if (options.openApi !== undefined) app.use('/docs/api', createDocsRouter(options.openApi));

  const byPath = new Map<string, Route[]>();
  for (const route of options.routes) {
    for (const path of listPaths(route)) byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  for (const path of [...byPath.keys()].sort(compareSpecificity)) {
    const routes = byPath.get(path) ?? [];
    const expressPath = toExpressPath(path);
    for (const route of routes) app[route.method](expressPath, serve(path, bindRoute(route, options.authenticate)));
    const allow = routes.map((route) => route.method.toUpperCase()).join(', ');
    app.all(expressPath, serve(path, refuseMethod(allow)));
  }
  app.use(serve('(unknown)', () => Promise.reject(new AppError('not_found', { message: 'There is no such path.' }))));
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    // Errors of Express itself, before a route ran: a path that is not valid percent-encoding.
    void serve('(unknown)', () => Promise.reject(error as Error))(request, response, next);
  });
  return app;
}

function refuseMethod(allow: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allow);
    return Promise.reject(new AppError('method_not_allowed', { message: `This path supports: ${allow}.` }));
  };
}

/** Wraps a handler with what every request gets: id, log line, metric, error body. */
function createServe(options: HttpAppOptions) {
  const duration = options.metrics.histogram(
    'steward_http_request_duration_seconds',
    'Time from the request to the end of its answer.',
    ['method', 'route', 'status'],
    DURATION_BUCKETS_SECONDS,
  );
  return (routePath: string, handle: RequestHandler) =>
    async (request: Request, response: Response, _next: NextFunction): Promise<void> => {
      const startedAt = performance.now();
      const requestId = readRequestId(request.headers['x-request-id']);
      const facts: RequestFacts = { requestId, logger: options.logger.child({ request_id: requestId }) };
      response.setHeader('X-Request-Id', requestId);
      response.setHeader('Cache-Control', 'no-store');
      response.once('close', () => {
        const seconds = (performance.now() - startedAt) / 1000;
        const status = response.writableFinished || response.headersSent ? response.statusCode : 499;
        duration.observe({ method: request.method, route: routePath, status: String(status) }, seconds);
        logServed(options.logger, { request, routePath, status, seconds, facts });
      });
      try {
        await handle(request, response, facts);
      } catch (error) {
        facts.error = toClientError(error);
        answerError(response, facts.error, requestId);
      }
    };
}

function answerError(response: Response, error: AppError, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  const retryAfter = error.retryAfterSeconds ?? (error.status === 429 || error.status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfter))));
  response.status(error.status).json(buildErrorBody(error, requestId));
}

interface ServedRequest {
  readonly request: Request;
  readonly routePath: string;
  readonly status: number;
  readonly seconds: number;
  readonly facts: RequestFacts;
}

/** The route's template, never the URL: a path may hold a secret, a query string anything. */
function logServed(logger: Logger, served: ServedRequest): void {
  const { request, routePath, status, seconds, facts } = served;
  const { error, principal, requestId } = facts;
  const fields = {
    request_id: requestId,
    method: request.method,
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
