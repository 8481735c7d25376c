import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Rule ids of docs/contract and their citations. */
export interface ContractRules {
  /** Page that states each rule. */
  readonly pages: ReadonlyMap<string, string>;
  /** Files of code and tests that cite each id, whether a page states it or not. */
  readonly citations: ReadonlyMap<string, readonly string[]>;
}

/** Format of a rule: bold at the start of a list item, or as the only content of the first cell of a row. */
const STATEMENT = /^(?:- \*\*|\| )([A-Z]+-[0-9]+)(?:\*\*| +\|)/gm;
const PAGES = 'docs/contract/*.md';
const DOCUMENTS = '{*.md,docs/**/*.md}';
const SOURCES = '{apps,libs,tools}/**/*.{ts,tsx}';
const NOT_SOURCES = new Set(['node_modules', 'out-tsc', 'dist', 'build']);

/**
 * Reads the pages, and all files that may cite them.
 * @throws Error for an id that is stated twice
 */
export function readContractRules(root: string): ContractRules {
  const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
  const pages = new Map<string, string>();
  for (const file of globSync(PAGES, { cwd: root }).sort()) {
    for (const [, id = ''] of read(file).matchAll(STATEMENT)) {
      const former = pages.get(id);
      if (former !== undefined) throw new Error(`${id} is stated twice, in ${former} and in ${file}`);
      pages.set(id, file);
    }
  }
  const prefixes = [...new Set([...pages.keys()].map((id) => id.replace(/-\d+$/, '')))];
  const citation = new RegExp(String.raw`\b(?:${prefixes.join('|')})-[0-9]+\b`, 'g');
  const citations = new Map<string, string[]>();
  for (const file of listFiles(root)) {
    for (const id of new Set(read(file).match(citation))) citations.set(id, [...(citations.get(id) ?? []), file]);
  }
  return { pages, citations };
}

function listFiles(root: string): string[] {
  const exclude = (name: string): boolean => NOT_SOURCES.has(name.split('/').at(-1) ?? '');
  return [...globSync(DOCUMENTS, { cwd: root }), ...globSync(SOURCES, { cwd: root, exclude })].sort();
}

/** Returns one line for each citation of a rule that no page states. */
export function listUnknownRules({ pages, citations }: ContractRules): string[] {
  return [...citations]
    .filter(([id]) => !pages.has(id))
    .map(([id, files]) => `${id} is no rule of docs/contract; named in ${files.join(', ')}`);
}

/** Returns the rules that neither code nor tests cite. */
export function listUncitedRules({ pages, citations }: ContractRules): string[] {
  return [...pages.keys()].filter((id) => citations.get(id)?.some((file) => /\.tsx?$/.test(file)) !== true);
}
