import { createClient } from '@hey-api/openapi-ts';

/**
 * Writes the types of an OpenAPI document to `types.gen.ts` in a folder.
 *
 * @param withOrphans - Includes schemas that are not used by any path.
 */
export async function writeTypes(
  document: Readonly<Record<string, unknown>>,
  folder: string,
  { withOrphans = false }: { readonly withOrphans?: boolean } = {},
): Promise<void> {
  await createClient({
    input: document,
    output: { path: folder, entryFile: false },
    ...(withOrphans && { parser: { filters: { orphans: true } } }),
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
}
