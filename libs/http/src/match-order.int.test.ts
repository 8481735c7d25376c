import { Type } from '@sinclair/typebox';
import { defineRoute } from './define-route.ts';
import { ABOUT, useHttpApp } from './testing/http-app-tests.ts';

/** Returns all paths of up to `length` of these segments. */
function listPaths(segments: readonly string[], length: number): string[] {
  if (length === 0) return [];
  const rest = listPaths(segments, length - 1);
  return segments.flatMap((segment) => [`/${segment}`, ...rest.map((path) => `/${segment}${path}`)]);
}

// A part of all templates, so that many paths have a route only in a router with a shorter common part, or in none.
const TEMPLATES = listPaths(['a', 'b', '{p}'], 4)
  .filter((_path, index) => index % 5 === 0 || index % 7 === 3)
  .map((path) => {
    let count = 0;
    return path.replaceAll('{p}', () => `{p${(count += 1)}}`);
  });

const app = useHttpApp({
  routes: TEMPLATES.map((path) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return defineRoute({
      ...ABOUT,
      method: 'get',
      path,
      auth: 'none',
      params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))),
      handler: () => ({ status: 200, body: path }),
    });
  }),
});

function countFixed(path: string): number {
  return /^(?:\/[^/{]+){0,3}/.exec(path)?.[0].split('/').length ?? 0;
}

/** Returns the template that handles a path: the one with the most fixed segments at its start, of at most three. */
function findTemplate(path: string): string | undefined {
  const matching = TEMPLATES.filter((template) => {
    const pattern = template.replaceAll(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
  return matching.sort((left, right) => countFixed(right) - countFixed(left) || (left < right ? -1 : 1))[0];
}

it('passes every path to the route with the most fixed segments at its start, and otherwise to the next one (API-8)', async () => {
  const paths = listPaths(['a', 'b', 'c'], 4);
  const reached = await Promise.all(
    paths.map(async (path) => {
      const answer = await app.call(path);
      return [path, answer.status === 404 ? undefined : await answer.json()];
    }),
  );
  expect(reached).toEqual(paths.map((path) => [path, findTemplate(path)]));
  expect(new Set(reached.map(([, template]) => template === undefined))).toEqual(new Set([true, false]));
});
