import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const WORKSPACE_ROOT = resolve(import.meta.dirname, '../..');

/** The processes of the suite, in the order they are started. */
export const APPS = [
  'api-gateway',
  'search-indexer',
  'webhook-dispatcher',
  'flow-trigger',
  'backfill-sweeper',
] as const;

export type AppName = (typeof APPS)[number];

/** Names of every npm package any project of the workspace depends on, our own left out. */
export function listNpmDependencies(): string[] {
  const folders = ['apps', 'libs', 'libs/platform', 'libs/slices', 'tools'];
  const files = folders.flatMap((folder) => {
    const path = resolve(WORKSPACE_ROOT, folder);
    const own = resolve(path, 'package.json');
    const children = readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => resolve(path, entry.name, 'package.json'));
    return [own, ...children];
  });
  const names = new Set<string>();
  for (const file of files) {
    for (const name of readDependencies(file)) if (!name.startsWith('@steward/')) names.add(name);
  }
  return [...names].sort();
}

function readDependencies(file: string): string[] {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
    return Object.keys(manifest.dependencies ?? {});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
