import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { installPackages } from '../packages/install-packages.ts';
import { renderOpenApi } from './render-openapi.ts';

/** Renders the API's request and response bodies as the console's types. */
export async function renderApiTypes(): Promise<string> {
  installPackages('tools/api-types');
  const { writeTypes } = await import('../../api-types/write-types.ts');
  const output = mkdtempSync(resolve(tmpdir(), 'steward-api-types-'));
  try {
    await writeTypes(JSON.parse(renderOpenApi()) as Record<string, unknown>, output);
    return readFileSync(resolve(output, 'types.gen.ts'), 'utf8');
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
