import type { Route } from './define-route.ts';

/** The route's own path and its aliases. */
export function listPaths(route: Route): string[] {
  return [route.path, ...(route.aliases ?? [])];
}

/** `/things/{thing_id}` as Express writes it. */
export function toExpressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Sorts fixed segments before parameters, so that `/flows/executions` is not taken for `/flows/{flow_id}`. */
export function compareSpecificity(left: string, right: string): number {
  const a = left.split('/');
  const b = right.split('/');
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = rank(a[index]) - rank(b[index]);
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

function rank(segment: string | undefined): number {
  if (segment === undefined) return 2;
  return segment.startsWith('{') ? 1 : 0;
}
