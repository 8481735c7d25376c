import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Documents whose names are checked. Guides are omitted, because they name files of their readers, as are decisions and
 * the changelog, which name files of earlier states.
 */
const DOCUMENTS = '{README,CONTRIBUTING,docs/operate/threat-model,docs/develop/architecture/**/*}.md';
/** Pages of rules, which describe the code, so identifiers that they name have to exist in it. */
const RULES = 'docs/contract/*.md';
const NAMED = /`((?:(?:apps|deploy|libs|sdks|tools)\/[\w./*{},-]*)|[\w./-]+\.ts)`/g;
/** Matches names that look like code: `defineRoute`, `SECRET_KEY`, `chunk_source_kind_check`. */
const CODE_NAME =
  /(?<![\w./-])(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+)(?![\w/-])/g;
/** Matches a path from its first placeholder on: `NAME`, `VERB-NOUN.ts`, `NNNN_verb_noun.ts`. */
const PLACEHOLDER = /(?:^|\/)[A-Z]{2,}(?:[-_/.].*)?$/;

/**
 * Returns one line for each file, folder or identifier that a document names in backticks and that does not exist, and
 * for each attack without a test.
 */
export function listMissingFiles(root: string): string[] {
  const sources = globSync('{apps,libs,tools}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => /node_modules|out-tsc/.test(name),
  });
  const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
  const words = new Set(sources.flatMap((file) => read(file).match(/\w+/g) ?? []));
  const listUnknown = (file: string): string[] =>
    listCodeNames(read(file))
      .filter((name) => !words.has(name))
      .map((name) => `${file} names ${name}, which no source has`);
  const documents = globSync(DOCUMENTS, { cwd: root })
    .sort()
    .flatMap((file) => {
      const text = read(file);
      const names = [...text.matchAll(NAMED)].map(([, name = '']) => name);
      const missing = [...new Set(names)]
        .map((name) => name.replace(PLACEHOLDER, ''))
        .filter((name) => name !== '' && !isThere(root, name, sources))
        .map((name) => `${file} names ${name}, which is not there`);
      return [
        ...missing,
        ...listUnknown(file),
        ...listUntested(text).map((row) => `${file} names no test for "${row}"`),
      ];
    });
  return [...documents, ...globSync(RULES, { cwd: root }).sort().flatMap(listUnknown)];
}

function listCodeNames(text: string): string[] {
  const quoted = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)];
  return [...new Set(quoted.flatMap(([, code = '']) => code.match(CODE_NAME) ?? []))];
}

/** Returns the first cells of those rows of tables with a test column whose last cell names no test. */
function listUntested(text: string): string[] {
  const tables = text.split('\n\n').filter((part) => /^\|.*\|\s*test\s*\|\n/.test(part));
  return tables
    .flatMap((table) => table.split('\n').slice(2))
    .filter((row) => row.startsWith('|') && !/`[^`]*\.test\.ts`[^|]*\|\s*$/.test(row))
    .map((row) => row.split('|')[1]?.trim() ?? '');
}

/** Returns true if a file exists; a document may name only the end of a path. */
function isThere(root: string, name: string, sources: readonly string[]): boolean {
  return globSync(name, { cwd: root }).length > 0 || sources.some((source) => source.endsWith(`/${name}`));
}
