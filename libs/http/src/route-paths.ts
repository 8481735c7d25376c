import type { Route } from './define-route.ts';

/** Returns the route's own path and its aliases. */
export function listPaths(route: Route): string[] {
  return [route.path, ...(route.aliases ?? [])];
}
