import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

const read = (file: string): string => readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8');
const list = (pattern: string): string[] => globSync(pattern, { cwd: WORKSPACE_ROOT });
const marked = new Set(
  [...read('.gitattributes').matchAll(/^(\S+) linguist-generated$/gm)].flatMap(([, pattern = '']) => list(pattern)),
);
/** Generated documents with a notice, and generated documents that cannot contain one. */
const generated = [
  ...list('docs/**/*.{md,sql}').filter((file) => /\bGenerated (?:from|by)\b/.test(read(file).slice(0, 400))),
  ...list('docs/**/*.json'),
];

describe('a generated document', () => {
  it('is marked as generated, so that reviews collapse it', () => {
    expect(generated.length).toBeGreaterThan(25);
    expect(generated.filter((file) => !marked.has(file))).toEqual([]);
  });

  it('exists for every path marked as generated', () => {
    const patterns = [...read('.gitattributes').matchAll(/^(docs\/\S+) linguist-generated$/gm)];
    expect(patterns.filter(([, pattern = '']) => list(pattern).length === 0).map(([line]) => line)).toEqual([]);
  });
});
