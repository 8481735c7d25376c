import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** What every build depends on beside its own files: how it is made, and where names lead. */
const ALWAYS = [
  'package-lock.json',
  'tsconfig.base.json',
  'tools/src/build/*.ts',
  '{apps,libs,libs/*,tools}/*/{package,tsconfig}.json',
  'tools/{package,tsconfig}.json',
];

/** Path below the workspace, with size and time of its last change. */
type Inputs = Readonly<Record<string, string>>;

/**
 * Builds `outputs` unless they were built of the very files that are there now, by the file `record`. `work` answers with the
 * paths it read.
 */
export async function buildWhenChanged(
  record: string,
  outputs: readonly string[],
  work: () => Promise<readonly string[]>,
): Promise<void> {
  if (outputs.every((file) => existsSync(file)) && isCurrent(record)) return;
  // One that is broken off leaves outputs that no record stands for.
  rmSync(record, { force: true });
  const startedAt = Date.now();
  const inputs = [...new Set([...globSync(ALWAYS, { cwd: WORKSPACE_ROOT }), ...(await work())])];
  // What changed while it was read may be in the outputs or not.
  if (inputs.some((path) => (readStats(path)?.mtimeMs ?? Infinity) >= startedAt)) return;
  mkdirSync(dirname(record), { recursive: true });
  const written = `${record}.${process.pid}`;
  writeFileSync(written, JSON.stringify(Object.fromEntries(inputs.map((path) => [path, describeFile(path)]))));
  renameSync(written, record);
}

function isCurrent(record: string): boolean {
  if (!existsSync(record)) return false;
  const inputs = JSON.parse(readFileSync(record, 'utf8')) as Inputs;
  return Object.entries(inputs).every(([path, description]) => describeFile(path) === description);
}

function describeFile(path: string): string {
  const stats = readStats(path);
  return stats === undefined ? 'gone' : `${stats.size} ${stats.mtimeMs}`;
}

function readStats(path: string) {
  return statSync(resolve(WORKSPACE_ROOT, path), { throwIfNoEntry: false });
}
