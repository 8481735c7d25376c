import express, { type IRoute, type Router } from 'express';
import { AppError } from '@steward/contracts';
import type { Route } from './define-route.ts';
import type { Surface } from './surface.ts';
import { bindRoute, type RequestGate } from './handle-request.ts';
import type { Handler } from './request-facts.ts';
import { listPaths } from './route-paths.ts';
import { nameRoute } from './start-request.ts';

/** Maximum number of segments at the start of a path by which its router is found, for example `/api/v1/flows`. */
const MOUNT_SEGMENTS = 3;

/** Matches the fixed segments at the start of a path template; routes with the same segments share a router. */
const MOUNT = new RegExp(`^(?:/[^/{]+){1,${MOUNT_SEGMENTS}}`);

/**
 * Returns a handler for the routes of all surfaces. It finds the router of a path by the path's first segments: Express
 * alone would compare each request with the paths of a hundred routers.
 */
export function mountSurfaces(surfaces: readonly Surface[], gate: RequestGate): Handler {
  const routers = new Map<string, Router>();
  for (const [path, routes] of groupByPath(surfaces)) {
    const mount = MOUNT.exec(path)?.[0] ?? '';
    const router = routers.get(mount) ?? express.Router({ caseSensitive: true });
    routers.set(mount, router);
    addRoutes(router.route(path.replaceAll(/\{(\w+)\}/g, ':$1')), { path, routes, gate });
  }
  return findRouter(routers);
}

/**
 * Returns a handler that passes a request to the routers whose fixed segments are the first segments of its path, one
 * after another; the router with the most segments comes first.
 */
function findRouter(routers: ReadonlyMap<string, Router>): Handler {
  return (request, response, next) => {
    const search = (from: string): void => {
      let mount = from;
      while (mount !== '' && !routers.has(mount)) mount = shorten(mount);
      const router = routers.get(mount);
      if (router === undefined) return next();
      router(request, response, (error: unknown) => {
        if (error !== undefined && error !== null) next(error);
        else if (mount === '') next();
        else search(shorten(mount));
      });
    };
    search(readMount(request.path));
  };
}

function readMount(path: string): string {
  let end = 0;
  for (let segments = 0; segments < MOUNT_SEGMENTS; segments += 1) {
    end = path.indexOf('/', end + 1);
    if (end === -1) return path;
  }
  return path.slice(0, end);
}

function shorten(mount: string): string {
  return mount.slice(0, Math.max(0, mount.lastIndexOf('/')));
}

/** A route with the surface that declares it. */
interface SurfaceRoute {
  readonly surface: Surface;
  readonly route: Route;
}

interface PathRoutes {
  readonly path: string;
  readonly routes: readonly SurfaceRoute[];
  readonly gate: RequestGate;
}

/**
 * Adds the handlers of a path. The first path that matches is used, even if it does not support the method. HEAD is
 * handled as GET; Node omits the body.
 */
function addRoutes(added: IRoute, { path, routes, gate }: PathRoutes): void {
  for (const { route, surface } of routes) added[route.method](...bindRoute(route, { ...surface, path }, gate));
  const allow = routes.map(({ route }) => route.method.toUpperCase()).join(', ');
  added.all(nameRoute(path, routes[0]?.surface.answerError), refuseMethod(allow));
}

/**
 * Returns the routes by path, in matching order: braces sort after letters, so a fixed segment precedes a parameter.
 */
function groupByPath(surfaces: readonly Surface[]): [string, SurfaceRoute[]][] {
  const byPath = new Map<string, SurfaceRoute[]>();
  for (const surface of surfaces) {
    for (const route of surface.routes) {
      for (const path of listPaths(route)) byPath.set(path, [...(byPath.get(path) ?? []), { surface, route }]);
    }
  }
  return [...byPath].sort(([left], [right]) => (left < right ? -1 : 1));
}

function refuseMethod(allow: string): Handler {
  return (_request, response) => {
    response.setHeader('Allow', allow);
    throw new AppError('method_not_allowed', { message: `This path supports: ${allow}.` });
  };
}
