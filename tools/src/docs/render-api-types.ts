import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { renderOpenApi } from './render-openapi.ts';

/** Renders the API's request and response bodies as the console's types. */
export async function renderApiTypes(): Promise<string> {
  const output = mkdtempSync(resolve(tmpdir(), 'steward-api-types-'));
  try {
    await createClient({
      input: JSON.parse(renderOpenApi()) as Record<string, unknown>,
      output: { path: output, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    return readFileSync(resolve(output, 'types.gen.ts'), 'utf8');
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
