import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Inputs of every build in addition to its own files: the build scripts, and the module resolution. */
const ALWAYS = [
  'package-lock.json',
  'tsconfig.base.json',
  'tools/src/build/*.ts',
  '{apps,libs,libs/*,tools}/*/{package,tsconfig}.json',
  'tools/{package,tsconfig}.json',
];

/** Description of a file that does not exist. */
const GONE = 'gone';

/** Size and modification time of each input and output, by its path, which may be relative to the workspace. */
type Files = Readonly<Record<string, string>>;

/**
 * Builds `outputs` unless they were built from the current files, according to the file `record`. `work` returns the
 * paths that it read. Returns false if nothing was built.
 */
export async function buildWhenChanged(
  record: string,
  outputs: readonly string[],
  work: () => Promise<readonly string[]>,
): Promise<boolean> {
  if (isCurrent(record)) return false;
  // If the build is interrupted, no record matches its outputs.
  rmSync(record, { force: true });
  const startedAt = Date.now();
  const inputs = [...new Set([...globSync(ALWAYS, { cwd: WORKSPACE_ROOT }), ...(await work())])];
  // A file that changed during the build may or may not be in the outputs.
  if (inputs.some((path) => (readStats(path)?.mtimeMs ?? Infinity) >= startedAt)) return true;
  const described = [...inputs, ...outputs].map((path) => [path, describeFile(path)] as const);
  // Another build at the same time may have removed an output.
  if (described.some(([, description]) => description === GONE)) return true;
  mkdirSync(dirname(record), { recursive: true });
  const written = `${record}.${process.pid}`;
  writeFileSync(written, JSON.stringify(Object.fromEntries(described)));
  renameSync(written, record);
  return true;
}

function isCurrent(record: string): boolean {
  if (!existsSync(record)) return false;
  const files = JSON.parse(readFileSync(record, 'utf8')) as Files;
  return Object.entries(files).every(([path, description]) => describeFile(path) === description);
}

function describeFile(path: string): string {
  const stats = readStats(path);
  return stats === undefined ? GONE : `${stats.size} ${stats.mtimeMs}`;
}

function readStats(path: string) {
  return statSync(resolve(WORKSPACE_ROOT, path), { throwIfNoEntry: false });
}
