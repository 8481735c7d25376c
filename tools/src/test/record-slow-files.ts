import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Part of jest's report about one test file. */
export interface FileReport {
  readonly name: string;
  /** Time when the file started, in milliseconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
}

const LIST = resolve(WORKSPACE_ROOT, 'tools/src/jest/slow-files.ts');
/** Minimum duration of a slow file: shorter files do not delay the end of a run, whatever their position. */
const LEAST_SECONDS = 15;

/**
 * Writes the files that took longest, with their durations in seconds, to the list that determines the order of a run.
 */
export function recordSlowFiles(files: readonly FileReport[]): void {
  const text = readFileSync(LIST, 'utf8');
  const head = text.slice(0, text.indexOf('= {') + 3);
  writeFileSync(LIST, `${head}\n${renderSlowFiles(files).join('')}};\n`);
}

/** Returns a line for each slow file, the slowest one first. */
export function renderSlowFiles(files: readonly FileReport[]): string[] {
  return files
    .map(({ name, startTime, endTime }) => ({
      path: relative(WORKSPACE_ROOT, name),
      seconds: Math.round((endTime - startTime) / 1000),
    }))
    .filter(({ seconds }) => seconds >= LEAST_SECONDS)
    .toSorted((a, b) => b.seconds - a.seconds || a.path.localeCompare(b.path))
    .map(({ path, seconds }) => `  '${path}': ${seconds},\n`);
}
