import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { format } from 'prettier';
import { renderKustomizeBase } from '../kubernetes/render-chart.ts';
import { copyRules, listBoardFiles } from '../monitoring/list-files.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { listBrokenLinks, listMissingPages } from './broken-links.ts';
import { listUncitedRules, listUnknownRules, readContractRules } from './contract-rules.ts';
import { listMissingFiles } from './missing-files.ts';
import { renderAdrIndex } from './render-adr-index.ts';
import { renderApiTypes } from './render-api-types.ts';
import { renderAsyncApi } from './render-asyncapi.ts';
import { renderConfiguration } from './render-configuration.ts';
import { renderCredentialsFound } from './render-credentials-found.ts';
import { listEventPages } from './render-events.ts';
import { renderKubernetesValues } from './render-kubernetes-values.ts';
import { renderMessages } from './render-messages.ts';
import { renderOpenApi } from './render-openapi.ts';
import { renderSchemas } from './render-schema.ts';
import { renderPythonOperations, renderPythonTypes } from './sdk/render-python.ts';
import { renderSdkOperations, renderSdkTypes } from './sdk/render-typescript.ts';

/**
 * Runs `npm run docs`: writes the documents that are generated from code, and checks that links, files that are
 * mentioned and rules that are cited exist. `-- --check` writes nothing, and fails if a document does not match the
 * code. A rule of docs/contract that neither code nor tests name is also a problem. The schema of the database
 * (docs/reference/schema) is compared only if Postgres has the major version that wrote it, because other versions
 * write some statements differently.
 */
const SCHEMA_MAJOR = 15;
const DOCUMENTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/openapi.json': renderOpenApi,
  'apps/console/src/api/__generated__/types.gen.ts': renderApiTypes,
  'libs/sdk/src/__generated__/types.gen.ts': renderSdkTypes,
  'libs/sdk/src/__generated__/operations.gen.ts': renderSdkOperations,
  'sdks/python/steward_sdk/types.py': renderPythonTypes,
  'sdks/python/steward_sdk/operations.py': renderPythonOperations,
  'docs/reference/asyncapi.json': renderAsyncApi,
  'docs/reference/configuration.md': renderConfiguration,
  'docs/reference/credentials-found.md': renderCredentialsFound,
  'docs/reference/kubernetes-values.md': renderKubernetesValues,
  'docs/reference/messages.md': renderMessages,
  'deploy/kustomize/base/steward.yaml': renderKustomizeBase,
  'deploy/helm/steward/files/steward.rules.yaml': copyRules,
  ...listBoardFiles(),
  'docs/develop/adr/README.md': renderAdrIndex,
  ...listEventPages(),
};

const checkOnly = process.argv.includes('--check');
const problems: string[] = [];
for (const [file, render] of Object.entries(DOCUMENTS)) {
  const text = await render();
  const filepath = resolve(WORKSPACE_ROOT, file);
  keep(file, file.endsWith('.py') ? text : await format(text, { filepath, printWidth: 120 }));
}
const schemas = await renderSchemas();
if (schemas.major === SCHEMA_MAJOR) for (const [file, text] of Object.entries(schemas.files)) keep(file, text);
else console.log(`docs/reference/schema is not checked: this Postgres is ${schemas.major}, not ${SCHEMA_MAJOR}`);
const rules = readContractRules(WORKSPACE_ROOT);
problems.push(
  ...listUnknownRules(rules),
  ...listUncitedRules(rules).map((id) => `${id} is named by no code and no test`),
  ...listBrokenLinks(WORKSPACE_ROOT),
  ...listMissingPages(WORKSPACE_ROOT),
  ...listMissingFiles(WORKSPACE_ROOT),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`documents are up to date; ${rules.pages.size} rules, each named by code or a test`);

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Writes the file or, with `--check`, reports that it differs from the code. */
function keep(file: string, wanted: string): void {
  const path = resolve(WORKSPACE_ROOT, file);
  if (wanted === readOrEmpty(path)) return;
  if (checkOnly) {
    problems.push(`${file} is not up to date; run: npm run docs`);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, wanted);
  console.log(`wrote ${file}`);
}
