import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Guides name files of their readers, decisions and the changelog what was there once. */
const DOCUMENTS = '{README,CONTRIBUTING,docs/threat-model,docs/architecture/**/*}.md';
const NAMED = /`((?:(?:apps|libs|tools)\/[\w./*{},-]*)|[\w./-]+\.ts)`/g;
/** From the first part a reader fills in: `NAME`, `VERB-NOUN.ts`, `NNNN_verb_noun.ts`. */
const PLACEHOLDER = /(?:^|\/)[A-Z]{2,}(?:[-_/.].*)?$/;

/** One line for each file or folder of the code that a document names in backticks and that is not there. */
export function listMissingFiles(root: string): string[] {
  const sources = globSync('{apps,libs,tools}/**/*.ts', {
    cwd: root,
    exclude: (name) => /node_modules|out-tsc/.test(name),
  });
  return globSync(DOCUMENTS, { cwd: root })
    .sort()
    .flatMap((file) => {
      const names = [...readFileSync(resolve(root, file), 'utf8').matchAll(NAMED)].map(([, name = '']) => name);
      return [...new Set(names)]
        .map((name) => name.replace(PLACEHOLDER, ''))
        .filter((name) => name !== '' && !isThere(root, name, sources))
        .map((name) => `${file} names ${name}, which is not there`);
    });
}

/** A file may be named by the end of its path. */
function isThere(root: string, name: string, sources: readonly string[]): boolean {
  return globSync(name, { cwd: root }).length > 0 || sources.some((source) => source.endsWith(`/${name}`));
}
