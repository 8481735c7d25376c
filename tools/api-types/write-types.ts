import { createClient } from '@hey-api/openapi-ts';

/** Writes the types of an OpenAPI document to `types.gen.ts` in a folder. */
export async function writeTypes(document: Readonly<Record<string, unknown>>, folder: string): Promise<void> {
  await createClient({
    input: document,
    output: { path: folder, entryFile: false },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
}
