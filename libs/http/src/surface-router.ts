import express, { type Express, type Router } from 'express';
import { AppError } from '@steward/contracts';
import type { Route } from './define-route.ts';
import type { Door } from './door.ts';
import { bindRoute, type RequestGate } from './handle-request.ts';
import type { Handler } from './request-facts.ts';
import { listPaths } from './route-paths.ts';
import { nameRoute } from './start-request.ts';

/** Fixed segments at the start of a path that routes of one router share: `/api/v1/flows`. */
const MOUNT = /^(?:\/[^/{]+){1,3}/;

/**
 * Registers the routes of a surface: one `express.Router` for each part of the path that routes share, so that a request is compared
 * with the routes of its part alone.
 */
export function mountSurface(app: Express, door: Door, gate: RequestGate): void {
  const routers = new Map<string, Router>();
  for (const [path, routes] of groupByPath(door.routes)) {
    const mount = MOUNT.exec(path)?.[0] ?? '';
    const router = routers.get(mount) ?? express.Router({ caseSensitive: true });
    routers.set(mount, router);
    addPath(router, { path, mount, routes, door, gate });
  }
  // Backwards: a longer one goes before the one that it begins with, and `/webhooks/flows`, which is asked most often, before `/api`.
  const mounts = [...routers].sort(([left], [right]) => (left < right ? 1 : -1));
  for (const [mount, router] of mounts) app.use(mount === '' ? '/' : mount, router);
}

interface PathRoutes {
  readonly path: string;
  readonly mount: string;
  readonly routes: readonly Route[];
  readonly door: Door;
  readonly gate: RequestGate;
}

/** The first path that fits decides, whether or not it knows the method. HEAD is GET, whose body Node leaves out. */
function addPath(router: Router, { path, mount, routes, door, gate }: PathRoutes): void {
  const inner = path.slice(mount.length).replaceAll(/\{(\w+)\}/g, ':$1');
  const route = router.route(inner === '' ? '/' : inner).all(nameRoute(path, door.answerError));
  for (const declared of routes) route[declared.method](...bindRoute(declared, door, gate));
  route.all(refuseMethod(routes.map(({ method }) => method.toUpperCase()).join(', ')));
}

/** By path, in the order in which they are tried: a brace sorts behind letters, so a fixed segment goes before a parameter. */
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
