import { generate, type JsonSchema } from 'json-schema-faker';
import type { ApiDocument, Operation } from './read-operations.ts';

export interface SampledBody {
  readonly mediaType: string;
  readonly text: string;
}

/**
 * Creates a valid body for a route from its schema, with only the required fields. Returns undefined for a route
 * without a body.
 */
export async function sampleBody({ body }: Operation, { document }: ApiDocument): Promise<SampledBody | undefined> {
  if (body === undefined) return undefined;
  const { components } = document as { components: object };
  // Without a schema, the route reads the bytes itself, or belongs to another protocol.
  const isDescribed = Object.keys(body.schema).length > 0;
  const value = isDescribed ? await sample({ ...body.schema, components } as JsonSchema) : {};
  if (body.mediaType !== 'application/x-www-form-urlencoded')
    return { mediaType: body.mediaType.replace('*/*', 'application/json'), text: JSON.stringify(value) };
  return { mediaType: body.mediaType, text: new URLSearchParams(value as Record<string, string>).toString() };
}

/** Returns a value of a schema with only the required properties; with the first property if any one is required. */
async function sample(schema: JsonSchema): Promise<unknown> {
  const draw = (optionalsProbability: number) => generate(schema, { seed: 1, optionalsProbability });
  try {
    return await draw(0);
  } catch {
    return Object.fromEntries(Object.entries((await draw(1)) as object).slice(0, 1));
  }
}
