import express, { type Express, type IRoute } from 'express';
import { AppError } from '@steward/contracts';
import type { Route } from './define-route.ts';
import type { Surface } from './surface.ts';
import { bindRoute, type RequestGate } from './handle-request.ts';
import type { Handler } from './request-facts.ts';
import { listPaths } from './route-paths.ts';
import { nameRoute } from './start-request.ts';

/** Matches the fixed segments at the start of a path that are common to the routes of one router: `/api/v1/flows`. */
const MOUNT = /^(?:\/[^/{]+){1,3}/;

/**
 * Registers the routes of a surface: one `express.Router` for each common prefix, so that a request is compared only
 * with the routes below its prefix. A path that has no common part with another one needs no separate router.
 */
export function mountSurface(app: Express, surface: Surface, gate: RequestGate): void {
  const mounts = new Map<string, [string, Route[]][]>();
  for (const [path, routes] of groupByPath(surface.routes)) {
    const mount = MOUNT.exec(path)?.[0] ?? '';
    mounts.set(mount, [...(mounts.get(mount) ?? []), [path, routes]]);
  }
  // The prefixes are sorted in reverse order, so that a longer path precedes its prefix, and `/webhooks/flows`, which
  // is requested most often, precedes `/api`.
  for (const [mount, paths] of [...mounts].sort(([left], [right]) => (left < right ? 1 : -1))) {
    const isShared = paths.length > 1;
    const router = isShared ? express.Router({ caseSensitive: true }) : app;
    for (const [path, routes] of paths) {
      const route = router.route(toExpressPath(isShared ? path.slice(mount.length) : path));
      addRoutes(route, { path, routes, surface, gate });
    }
    if (isShared) app.use(mount === '' ? '/' : mount, router);
  }
}

function toExpressPath(path: string): string {
  return path === '' ? '/' : path.replaceAll(/\{(\w+)\}/g, ':$1');
}

interface PathRoutes {
  readonly path: string;
  readonly routes: readonly Route[];
  readonly surface: Surface;
  readonly gate: RequestGate;
}

/**
 * Adds the handlers of a path. The first path that matches is used, even if it does not support the method. HEAD is
 * handled as GET; Node omits the body.
 */
function addRoutes(route: IRoute, { path, routes, surface, gate }: PathRoutes): void {
  for (const declared of routes) route[declared.method](...bindRoute(declared, { ...surface, path }, gate));
  const allow = routes.map(({ method }) => method.toUpperCase()).join(', ');
  route.all(nameRoute(path, surface.answerError), refuseMethod(allow));
}

/**
 * Returns the routes by path, in matching order: braces sort after letters, so a fixed segment precedes a parameter.
 */
function groupByPath(routes: readonly Route[]): [string, Route[]][] {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    for (const path of listPaths(route)) byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  return [...byPath].sort(([left], [right]) => (left < right ? -1 : 1));
}

function refuseMethod(allow: string): Handler {
  return (_request, response) => {
    response.setHeader('Allow', allow);
    throw new AppError('method_not_allowed', { message: `This path supports: ${allow}.` });
  };
}
