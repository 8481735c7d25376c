/** Returns a schema of an OpenAPI document with the named schemas in place of the references to them. */
export function inlineReferences(schema: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => inlineReferences(part, schemas));
  if (schema === null || typeof schema !== 'object') return schema;
  const { $ref, ...rest } = schema as { readonly $ref?: unknown };
  const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined;
  if (name !== undefined) return { ...(inlineReferences(schemas[name], schemas) as object), ...rest };
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, inlineReferences(part, schemas)]));
}
