import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format } from 'prettier';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { renderConfiguration } from './render-configuration.ts';
import { renderMessages } from './render-messages.ts';
import { renderOpenApi } from './render-openapi.ts';

/**
 * `npm run docs`: writes the documents that are made from code. `npm run docs -- --check` writes nothing and fails when
 * one of them is not what the code says.
 */
const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'docs/openapi.json': renderOpenApi,
  'docs/configuration.md': renderConfiguration,
  'docs/messages.md': renderMessages,
};

const checkOnly = process.argv.includes('--check');
let stale = 0;
for (const [file, render] of Object.entries(DOCUMENTS)) {
  const path = resolve(WORKSPACE_ROOT, file);
  const wanted = await format(render(), { filepath: path, printWidth: 120 });
  if (wanted === readOrEmpty(path)) continue;
  if (checkOnly) {
    stale += 1;
    console.error(`${file} is not up to date; run: npm run docs`);
  } else {
    writeFileSync(path, wanted);
    console.log(`wrote ${file}`);
  }
}
if (stale > 0) process.exitCode = 1;
else console.log('generated documents are up to date');

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
