import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'vite';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { CONSOLE_BUILD } from './console-files.ts';

const CONSOLE = resolve(WORKSPACE_ROOT, 'apps/console');
/** Record of the build's inputs, outside the folder of the served files. */
const STAMP = resolve(CONSOLE_BUILD, '../console.stamp');

const SOURCES = [
  'apps/console/{index.html,portal.html,package.json,vite.config.ts}',
  'apps/console/src/**/*',
  'tools/demo/transcript.jsonl',
  'tools/src/build/build-console.ts',
  'package-lock.json',
];

/** Builds the console as the gateway serves it. Returns false if it was up to date. */
export async function buildConsole(): Promise<boolean> {
  const stamp = hashSources();
  if (existsSync(resolve(CONSOLE_BUILD, 'index.html')) && readOrEmpty(STAMP) === stamp) return false;
  await inProduction(() => build({ root: CONSOLE, configFile: resolve(CONSOLE, 'vite.config.ts'), logLevel: 'error' }));
  writeFileSync(STAMP, stamp);
  return true;
}

/**
 * Builds with NODE_ENV set to production. Tests set another value, which would build React for development: it would be
 * twice as large, and effects would run twice.
 */
async function inProduction(work: () => Promise<unknown>): Promise<void> {
  const former = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await work();
  } finally {
    if (former === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = former;
  }
}

function hashSources(): string {
  const files = globSync(SOURCES, { cwd: WORKSPACE_ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => resolve(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
