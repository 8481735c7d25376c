import type { TSchema } from '@sinclair/typebox';
import type { Route } from './define-route.ts';

export type NamedSchemas = ReadonlyMap<TSchema, string>;

/**
 * The names of the schemas of all responses, as the routes declare them.
 * @throws if a schema has two names, or two schemas have one name
 */
export function nameSchemas(routes: readonly Route[]): NamedSchemas {
  const names = new Map<TSchema, string>();
  const give = (schema: TSchema, name: string): void => {
    const given = names.get(schema);
    if (given === name) return;
    if (given !== undefined) throw new Error(`the schema ${given} is also called ${name}`);
    if ([...names.values()].includes(name)) throw new Error(`two schemas are called ${name}`);
    names.set(schema, name);
  };
  for (const route of routes) {
    for (const answer of Object.values(route.responses))
      if (answer.schema !== undefined) give(findItem(answer.schema) ?? answer.schema, answer.name);
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

/** The schema of the items, if it is that of a page. */
function findItem(schema: TSchema): TSchema | undefined {
  const properties = schema['properties'] as Readonly<Record<string, TSchema>> | undefined;
  return properties?.['next_cursor'] === undefined
    ? undefined
    : (properties['items']?.['items'] as TSchema | undefined);
}
