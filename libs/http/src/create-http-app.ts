import type { RequestListener } from 'node:http';
import { AppError } from '@steward/contracts';
import type { Logger, Metrics } from '@steward/process';
import type { Route } from './define-route.ts';
import { createDocsPage } from './docs-page.ts';
import type { Door } from './door.ts';
import { bindRoute, type RequestGate, type RequestHandler } from './handle-request.ts';
import { createReadAddress } from './read-address.ts';
import { refusePath } from './refuse-path.ts';
import { listPaths } from './route-paths.ts';
import { createRouter } from './router.ts';
import { createServe, type Serve } from './serve-request.ts';
import type { Site } from './site.ts';

export interface HttpAppOptions {
  readonly doors: readonly Door[];
  readonly gate: RequestGate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** OpenAPI document served at /docs/api/openapi.json; without it there is no docs page. */
  readonly openApi?: object;
  /** A web site served in addition to the API surfaces; API paths take precedence. */
  readonly site?: Site | undefined;
  /** Proxies whose X-Forwarded-For is trusted. None by default. */
  readonly trustedProxies?: readonly string[];
}

/** Selects the handler of a path by method. */
type ServeMethod = (method: string) => Serve;

/**
 * The routes of all surfaces as one request listener: path first, then method. Validation, errors, request ids, access
 * log and metrics are the same for all. Express serves only the API page, at and below its path.
 */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const serve = createServe(options);
  const refuseUnreadable = serve('(unknown)', () =>
    Promise.reject(new AppError('bad_request', { message: 'The request path is not valid percent-encoding.' })),
  );
  const refuseUnknown = serve('(unknown)', refusePath);
  const paths = new Map<string, ServeMethod>();
  for (const door of options.doors) addDoor(door);

  function addDoor(door: Door): void {
    for (const [path, routes] of groupByPath(door.routes)) {
      const byMethod = new Map(
        routes.map((route) => [
          route.method.toUpperCase(),
          serve(path, bindRoute(route, door, options.gate), door.answerError),
        ]),
      );
      const refuseMethod = serve(path, createRefuseMethod([...byMethod.keys()].join(', ')), door.answerError);
      // Node leaves out the body of a response to HEAD.
      paths.set(path, (method) => byMethod.get(method === 'HEAD' ? 'GET' : method) ?? refuseMethod);
    }
    if (door.prefix === '') return;
    const refuseBelow = serve('(unknown)', refusePath, door.answerError);
    paths.set(`${door.prefix}/*`, () => refuseBelow);
  }

  if (options.openApi !== undefined) {
    const serveDocs = createDocsPage(options.openApi, refuseUnknown);
    for (const path of ['/docs/api', '/docs/api/*']) paths.set(path, () => serveDocs);
  }
  for (const [path, handle] of options.site?.handlers ?? []) {
    const served = serve(path, handle);
    // A surface may handle paths below it.
    const below = paths.get(path);
    paths.set(path, (method) => (method === 'GET' || method === 'HEAD' ? served : (below?.(method) ?? refuseUnknown)));
  }
  const findPath = createRouter({ paths, unknown: () => refuseUnknown, unreadable: () => refuseUnreadable });
  const readAddress = createReadAddress(options.trustedProxies ?? []);
  return (message, response) => {
    const { value, params, query } = findPath(message.url ?? '');
    const served = value(message.method ?? '')(
      { message, params, query, remoteAddress: readAddress(message) },
      response,
    );
    // It handles errors itself; an error while doing so must not end the process.
    served.catch(() => response.destroy());
  };
}

function groupByPath(routes: readonly Route[]): Map<string, Route[]> {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    for (const path of listPaths(route)) byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  return byPath;
}

function createRefuseMethod(allow: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allow);
    return Promise.reject(new AppError('method_not_allowed', { message: `This path supports: ${allow}.` }));
  };
}
