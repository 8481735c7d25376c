import type { TSchema } from '@sinclair/typebox';
import type { Route } from './define-route.ts';

/** Schema names in the document, by route: `GET /api/v1/flows`. For a list, the name of an item. */
export type AnswerNames = Readonly<Record<string, string>>;

export type NamedSchemas = ReadonlyMap<TSchema, string>;

/** Operation ids in the document, by route. */
export type OperationIds = Readonly<Record<string, string>>;

const keyOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`;

/** The chosen operation id, else one derived from the path; aliases of a route get a number appended. */
export function findOperationId(route: Pick<Route, 'method' | 'path'>, chosen: OperationIds, aliasIndex = 0): string {
  const id = chosen[keyOf(route)] ?? makeOperationId(route.method, route.path);
  return aliasIndex === 0 ? id : `${id}Alias${aliasIndex === 1 ? '' : aliasIndex}`;
}

const makeOperationId = (method: string, path: string): string =>
  `${method}${path.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_match, next: string | undefined) => (next ?? '').toUpperCase())}`;

/**
 * Names every schema of a response: by the chosen name, else by the first route that returns it.
 * @throws if two schemas would have the same name
 */
export function nameSchemas(
  routes: readonly Route[],
  chosen: AnswerNames,
  operationIds: OperationIds = {},
): NamedSchemas {
  const names = new Map<TSchema, string>();
  const give = (schema: TSchema, name: string): void => {
    if (names.has(schema)) return;
    if ([...names.values()].includes(name)) throw new Error(`two schemas are called ${name}`);
    names.set(schema, name);
  };
  const byRoute = new Map(routes.map((route) => [keyOf(route), route]));
  for (const [key, name] of Object.entries(chosen)) {
    const [answer] = listAnswers(byRoute.get(key));
    // A process serves only a part of the routes.
    if (answer !== undefined) give(answer.schema, name);
  }
  for (const route of routes) {
    const id = findOperationId(route, operationIds);
    const base = `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`;
    for (const [index, { schema, status }] of listAnswers(route).entries())
      give(schema, index === 0 ? base : `${base}${status}`);
  }
  return names;
}

/** Renders a schema for the document: named schemas become references. */
export function describeSchema(schema: TSchema, names: NamedSchemas): object {
  const name = names.get(schema);
  return name === undefined ? describeParts(schema, names) : { $ref: `#/components/schemas/${name}` };
}

/** Renders the named schemas. */
export function describeNamed(names: NamedSchemas): Record<string, object> {
  const described = [...names].map(([schema, name]) => [name, describeParts(schema, names)] as const);
  return Object.fromEntries(described.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function describeParts(schema: TSchema, names: NamedSchemas): object {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, describePart(value, names)]));
}

function describePart(value: unknown, names: NamedSchemas): unknown {
  if (Array.isArray(value)) return value.map((each) => describePart(each, names));
  return value !== null && typeof value === 'object' ? describeSchema(value as TSchema, names) : value;
}

/** The schemas of a route's responses, success first; for a page the schema of its items. */
function listAnswers(route: Route | undefined): { readonly status: string; readonly schema: TSchema }[] {
  return Object.entries(route?.responses ?? {}).flatMap(([status, { schema }]) =>
    schema === undefined ? [] : [{ status, schema: findItem(schema) ?? schema }],
  );
}

function findItem(schema: TSchema): TSchema | undefined {
  const properties = schema['properties'] as Readonly<Record<string, TSchema>> | undefined;
  return properties?.['next_cursor'] === undefined
    ? undefined
    : (properties['items']?.['items'] as TSchema | undefined);
}
