import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { installPackages } from '../packages/install-packages.ts';
import { renderOpenApi } from './render-openapi.ts';

/** Renders the API's request and response bodies as the console's types. */
export function renderApiTypes(): Promise<string> {
  return renderTypes(JSON.parse(renderOpenApi()) as Record<string, unknown>);
}

/** Renders the types of a document; with `withOrphans`, also those of schemas that no path uses. */
export async function renderTypes(
  document: Readonly<Record<string, unknown>>,
  options: { readonly withOrphans?: boolean } = {},
): Promise<string> {
  installPackages('tools/api-types');
  const { writeTypes } = await import('../../api-types/write-types.ts');
  const output = mkdtempSync(resolve(tmpdir(), 'steward-api-types-'));
  try {
    await writeTypes(document, output, options);
    return readFileSync(resolve(output, 'types.gen.ts'), 'utf8');
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
