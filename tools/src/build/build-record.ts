import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** What every build depends on beside its own files. */
const ALWAYS = ['package-lock.json', 'tools/src/build/bundle-apps.ts', 'tools/src/build/pack-cli.ts'];

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
  const startedAt = Date.now();
  const inputs = [...new Set([...ALWAYS, ...(await work())])];
  const wereChanged = inputs.some((path) => statSync(resolve(WORKSPACE_ROOT, path)).mtimeMs >= startedAt);
  // What changed while it was read may be in the outputs or not.
  if (wereChanged) return;
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify(Object.fromEntries(inputs.map((path) => [path, describeFile(path)]))));
}

function isCurrent(record: string): boolean {
  if (!existsSync(record)) return false;
  const inputs = JSON.parse(readFileSync(record, 'utf8')) as Inputs;
  return Object.entries(inputs).every(([path, description]) => describeFile(path) === description);
}

function describeFile(path: string): string {
  const stats = statSync(resolve(WORKSPACE_ROOT, path), { throwIfNoEntry: false });
  return stats === undefined ? 'gone' : `${stats.size} ${stats.mtimeMs}`;
}
