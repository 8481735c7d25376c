import type { TSchema } from '@sinclair/typebox';

/**
 * Returns the producer's variant of a published schema: every object in it, at any depth, rejects keys that it does not
 * define. The published schema accepts unknown keys, because adding a key inside `data` does not change the version
 * (EVT-2, EVT-5).
 *
 * All levels are closed: if only the top level were closed, tool arguments inside `rule` or an email address inside
 * `author` would be accepted. An object that specifies `additionalProperties` itself is intentionally free-form and is
 * not changed.
 *
 * @returns a copy; the published schema itself is not changed.
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

/** The keywords that contain nested schemas in the field kinds of `data/fields.ts`. */
interface SchemaParts {
  readonly properties: Record<string, TSchema>;
  readonly anyOf: readonly TSchema[];
  readonly items: TSchema;
}
