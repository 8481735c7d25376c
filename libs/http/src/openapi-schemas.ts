import type { TSchema } from '@sinclair/typebox';
import type { Route } from './define-route.ts';

export type NamedSchemas = ReadonlyMap<TSchema, string>;

/**
 * Gives names to the schemas of all bodies, responses and pages. A response has the name that its route declares; the
 * name of a page is derived from that of its items, and the name of a body from that of its operation. Parts of these
 * schemas get the name in their `title`.
 *
 * @param sent - requests that the service itself sends: their parts with a title are named as well
 * @throws if a schema has two names, or two schemas have the same name
 */
export function nameSchemas(routes: readonly Route[], sent: unknown = {}): NamedSchemas {
  const names = new Map<TSchema, string>();
  const taken = new Set<string>();
  const give = (schema: TSchema, name: string): void => {
    const given = names.get(schema);
    if (given === name) return;
    if (given !== undefined) throw new Error(`the schema ${given} also has the name ${name}`);
    if (taken.has(name)) throw new Error(`two schemas have the name ${name}`);
    taken.add(name);
    names.set(schema, name);
  };
  for (const route of routes) {
    for (const answer of Object.values(route.responses))
      if (answer.schema !== undefined) give(findItem(answer.schema) ?? answer.schema, answer.name);
  }
  for (const { body, operationId } of routes)
    if (body !== undefined && operationId !== undefined && !names.has(body as TSchema))
      give(body as TSchema, nameBody(operationId));
  namePages(routes, names, taken);
  for (const route of routes) {
    const answers = Object.values(route.responses).map(({ schema }) => schema);
    for (const schema of [route.params, route.query, route.body, ...answers]) nameTitled(schema, names, taken);
  }
  nameTitled(sent, names, taken);
  return names;
}

const nameBody = (operationId: string): string =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1).replace(/Request$/, '')}Request`;

/** Keys whose values are data, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** Gives each part that has a `title` this title as its name; all copies of such a part get the same name. */
function nameTitled(value: unknown, names: Map<TSchema, string>, taken: ReadonlySet<string>): void {
  if (value === null || typeof value !== 'object') return;
  const schema = value as TSchema;
  if (typeof schema.title === 'string' && !names.has(schema)) {
    if (taken.has(schema.title)) throw new Error(`two schemas have the name ${schema.title}`);
    for (const [other, name] of names) {
      if (name === schema.title && describeText(other) !== describeText(schema))
        throw new Error(`two schemas have the name ${name}`);
    }
    names.set(schema, schema.title);
  }
  for (const [key, part] of Object.entries(schema)) if (!VALUES.has(key)) nameTitled(part, names, taken);
}

/** Returns a schema as a string without its description, since each use of a shared schema may have its own. */
const describeText = ({ description: _description, ...rest }: TSchema): string => JSON.stringify(rest);

/**
 * Gives names to the schemas of pages. Every list has its own schema object for its response, so pages of the same
 * items are not identical objects; they get the same name if their content is equal. If it differs, only the first gets
 * the name.
 */
function namePages(routes: readonly Route[], names: Map<TSchema, string>, taken: ReadonlySet<string>): void {
  const firstPages = new Map<string, string>();
  for (const route of routes) {
    for (const { schema: page } of Object.values(route.responses)) {
      const item = page === undefined ? undefined : findItem(page);
      const itemName = item === undefined ? undefined : names.get(item);
      if (page === undefined || itemName === undefined) continue;
      const name = `${itemName}Page`;
      if (taken.has(name)) throw new Error(`two schemas have the name ${name}`);
      const text = JSON.stringify(page);
      if ((firstPages.get(name) ?? text) !== text) continue;
      firstPages.set(name, text);
      names.set(page, name);
    }
  }
}

/** Renders a schema for the document: named schemas become references. */
export function describeSchema(schema: TSchema, names: NamedSchemas): object {
  const name = names.get(schema);
  if (name === undefined) return describeParts(schema, names);
  const $ref = `#/components/schemas/${name}`;
  return schema.title === undefined || schema.description === undefined
    ? { $ref }
    : { $ref, description: schema.description };
}

/** Renders the named schemas. */
export function describeNamed(names: NamedSchemas): Record<string, object> {
  const described = [...names].map(([schema, name]) => {
    const { title, description: _description, ...rest } = schema;
    return [name, describeParts(title === undefined ? schema : (rest as TSchema), names)] as const;
  });
  return Object.fromEntries(described.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function describeParts(schema: TSchema, names: NamedSchemas): object {
  const values = listConstants(schema);
  if (values !== undefined) {
    const { anyOf: _anyOf, ...rest } = schema;
    return { ...rest, type: 'string', enum: values };
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, VALUES.has(key) ? value : describePart(value, names)]),
  );
}

/**
 * Returns the values of a union of constant strings, which is easier to read as an enumeration; undefined for other
 * schemas.
 */
function listConstants(schema: TSchema): readonly string[] | undefined {
  const members = schema['anyOf'] as readonly TSchema[] | undefined;
  const isPlain = ({ const: value, type: _type, ...rest }: TSchema): boolean =>
    typeof value === 'string' && Object.keys(rest).length === 0;
  return Array.isArray(members) && members.every(isPlain)
    ? members.map((member) => member['const'] as string)
    : undefined;
}

export function describePart(value: unknown, names: NamedSchemas): unknown {
  if (Array.isArray(value)) return value.map((each) => describePart(each, names));
  return value !== null && typeof value === 'object' ? describeSchema(value as TSchema, names) : value;
}

/** Returns the schema of the items, if the schema is that of a page. */
function findItem(schema: TSchema): TSchema | undefined {
  const properties = schema['properties'] as Readonly<Record<string, TSchema>> | undefined;
  return properties?.['next_cursor'] === undefined
    ? undefined
    : (properties['items']?.['items'] as TSchema | undefined);
}
