import type { TSchema } from '@sinclair/typebox';

/**
 * The producer's variant of a published schema: every object in it, at any depth, refuses keys that it does not name.
 * The published schema stays open, because adding a key inside `data` is not a version change (EVT-2, EVT-5).
 *
 * All levels matter: closing only the top level would let tool arguments through inside `rule`, or an e-mail address
 * inside `author`. An object that specifies `additionalProperties` itself is intentionally free-form and is not
 * changed.
 *
 * @returns a copy; the published schema is not changed.
 */
export function buildStrictSchema(schema: TSchema): TSchema {
  const strict: TSchema = { ...schema };
  const { properties, anyOf, items } = schema as Partial<SchemaParts>;
  if (properties !== undefined) {
    strict['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, buildStrictSchema(property)]),
    );
    strict['additionalProperties'] ??= false;
  }
  if (anyOf !== undefined) strict['anyOf'] = anyOf.map(buildStrictSchema);
  if (items !== undefined) strict['items'] = buildStrictSchema(items);
  return strict;
}

/** The keywords under which the field kinds of `data/fields.ts` nest further schemas. */
interface SchemaParts {
  readonly properties: Record<string, TSchema>;
  readonly anyOf: readonly TSchema[];
  readonly items: TSchema;
}
