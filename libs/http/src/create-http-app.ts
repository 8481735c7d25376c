import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { AppError, type Logger, type Metrics } from '@steward/runtime';
import type { Route } from './define-route.ts';
import { createDocsRouter } from './docs-page.ts';
import { bindRoute, type RequestHandler } from './handle-request.ts';
import { parseQuery, readPlainTarget, type HttpRequest } from './http-request.ts';
import type { Authenticate } from './principal.ts';
import { compareSpecificity, listPaths, toExpressPath } from './route-paths.ts';
import { createRouteTree, type RouteTreeEntry } from './route-tree.ts';
import { protectBrowsers } from './send-answer.ts';
import { createServe, type Serve } from './serve-request.ts';

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

/**
 * The route table as a request listener; validation, errors, request ids, access log and metrics are the same for all.
 * Express serves what needs its care (escapes in a path, unknown paths and methods, HEAD, the API page); a plain request of a
 * known route is found without it. Both ways end in the same handler.
 */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const app = createExpressApp(options);
  const serve = createServe(options);
  const entries: RouteTreeEntry<Serve>[] = [];
  for (const [path, routes] of groupByPath(options.routes)) {
    const expressPath = toExpressPath(path);
    for (const route of routes) {
      const serveRoute = serve(path, bindRoute(route, options.authenticate));
      entries.push({ method: route.method.toUpperCase(), path, value: serveRoute });
      app[route.method](expressPath, adapt(serveRoute));
    }
    const allow = routes.map((route) => route.method.toUpperCase()).join(', ');
    app.all(expressPath, adapt(serve(path, refuseMethod(allow))));
  }
  const refuseUnknown = (): Promise<never> =>
    Promise.reject(new AppError('not_found', { message: 'There is no such path.' }));
  app.use(adapt(serve('(unknown)', refuseUnknown)));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    // Errors of Express itself, before a route ran: a path that is not valid percent-encoding.
    void serve('(unknown)', () => Promise.reject(error as Error))(fromExpress(request), response);
  });
  const tree = createRouteTree(entries);
  const trustsProxies = (options.trustedProxies ?? []).length > 0;
  return (message, response) => {
    const target = readPlainTarget(message.url ?? '');
    const found = target === undefined ? undefined : tree.find(message.method ?? '', target.path);
    if (target === undefined || found === undefined) return void app(message, response);
    const served = found.value(
      {
        message,
        params: found.params,
        readQuery: () => parseQuery(target.query),
        readRemoteAddress: () =>
          trustsProxies ? readForwardedAddress(app, message) : (message.socket.remoteAddress ?? ''),
      },
      response,
    );
    // It answers errors itself; one of that answer must not end the process.
    served.catch(() => response.destroy());
  };
}

function createExpressApp({ trustedProxies = [], openApi }: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  if (trustedProxies.length > 0) app.set('trust proxy', [...trustedProxies]);
  // The routes' own answers carry these headers already.
  if (openApi !== undefined) app.use('/docs/api', protectBrowsers, createDocsRouter(openApi));
  return app;
}

/** In the order in which they are tried. */
function groupByPath(routes: readonly Route[]): [path: string, routes: Route[]][] {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    for (const path of listPaths(route)) byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  return [...byPath].sort(([left], [right]) => compareSpecificity(left, right));
}

function adapt(serve: Serve) {
  return (request: Request, response: ServerResponse): Promise<void> => serve(fromExpress(request), response);
}

function fromExpress(request: Request): HttpRequest {
  return {
    message: request,
    params: request.params as Record<string, string>,
    readQuery: () => request.query as ReturnType<HttpRequest['readQuery']>,
    readRemoteAddress: () => request.ip ?? '',
  };
}

/** Express' own rule of whom to believe, asked on behalf of a request that it has not seen. */
function readForwardedAddress(app: Express, { headers, socket }: IncomingMessage): string {
  return String(Reflect.get(express.request, 'ip', { app, headers, socket, connection: socket }) ?? '');
}

function refuseMethod(allow: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allow);
    return Promise.reject(new AppError('method_not_allowed', { message: `This path supports: ${allow}.` }));
  };
}
