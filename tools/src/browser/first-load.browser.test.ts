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

/** Lists the files that are loaded before the search can be used. */
function listFirst(): string[] {
  const wanted = new Set<string>();
  const add = (key: string): void => {
    if (wanted.has(key)) return;
    wanted.add(key);
    manifest[key]?.imports?.forEach(add);
  };
  ['index.html', 'src/screens/search/search-screen.tsx'].forEach(add);
  return [...wanted];
}

const sizeOf = (file: string): number => read(`${file}.gz`).length;

describe('the first load of the search page', () => {
  it('is at most 130 KB of script and 10 KB of styles, compressed (WEB-45)', () => {
    const chunks = listFirst().map((key) => manifest[key]);
    const scripts = chunks.map((chunk) => ({ file: chunk?.file ?? '', bytes: sizeOf(chunk?.file ?? '') }));
    const styles = new Set(chunks.flatMap((chunk) => chunk?.css ?? []));
    const sum = scripts.reduce((total, { bytes }) => total + bytes, 0);
    // Lists the largest files, to show the cause if a limit is exceeded.
    if (sum > 130_000) expect(scripts.sort((left, right) => right.bytes - left.bytes)).toEqual('at most 130 KB');
    expect([...styles].reduce((total, file) => total + sizeOf(file), 0)).toBeLessThan(10_000);
  });
});
