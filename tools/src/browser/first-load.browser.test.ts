import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CONSOLE_BUILD } from '../build/console-files.ts';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Reads the manifest that the build writes next to its files. */
const read = (file: string): Buffer => readFileSync(resolve(CONSOLE_BUILD, file));
const manifest = JSON.parse(read('.vite/manifest.json').toString()) as Readonly<Record<string, Chunk>>;

/** Lists the files that the page of these entries loads before it can be used. */
function listFirst(entries: readonly string[]) {
  const wanted = new Set<string>();
  const add = (key: string): void => {
    if (wanted.has(key)) return;
    wanted.add(key);
    manifest[key]?.imports?.forEach(add);
  };
  entries.forEach(add);
  return [...wanted].map((key) => manifest[key]);
}

const sizeOf = (file: string): number => read(`${file}.gz`).length;

/** Limits in bytes of the compressed files. */
const PAGES = [
  ['the search page', ['index.html', 'src/screens/search/search-screen.tsx'], 130_000, 10_000],
  ['the overview', ['index.html', 'src/screens/stats/overview-screen.tsx'], 134_000, 10_000],
  ['the webhook portal', ['portal.html'], 95_000, 5000],
] as const;

describe.each(PAGES)('the first load of %s', (_page, entries, mostScript, mostStyles) => {
  it(`is at most ${mostScript} bytes of script and ${mostStyles} of styles, compressed (WEB-45, HOOK-55)`, () => {
    const chunks = listFirst(entries);
    const scripts = chunks.map((chunk) => ({ file: chunk?.file ?? '', bytes: sizeOf(chunk?.file ?? '') }));
    const styles = new Set(chunks.flatMap((chunk) => chunk?.css ?? []));
    const sum = scripts.reduce((total, { bytes }) => total + bytes, 0);
    // If a limit is exceeded, the largest files are listed, to show the cause.
    if (sum > mostScript) expect(scripts.sort((left, right) => right.bytes - left.bytes)).toEqual(mostScript);
    expect([...styles].reduce((total, file) => total + sizeOf(file), 0)).toBeLessThan(mostStyles);
  });
});
