import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean } | undefined>>;
}

/**
 * Installs the packages of a folder that has a package.json and a lock file of its own and is no workspace of the repository, so that
 * `npm ci` of the root leaves them out. Does nothing when the versions of the lock file are there. Says on stderr what it installs.
 */
export function installPackages(folder: string): void {
  if (hasPackages(folder)) return;
  console.error(`installing the packages of ${folder}, once`);
  // `npm ci` refuses a lock file that leaves out optional packages of other systems.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  // Output of npm is discarded: stdout belongs to the command that needs the packages.
  execFileSync('npm', args, { cwd: resolve(WORKSPACE_ROOT, folder), stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Whether every package that is not optional is there in the version of the lock file. */
export function hasPackages(folder: string): boolean {
  const directory = resolve(WORKSPACE_ROOT, folder);
  const lock = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8')) as Lock;
  return Object.entries(lock.packages)
    .filter(
      ([path, entry]) => path.includes('node_modules/') && entry?.optional !== true && entry?.version !== undefined,
    )
    .every(([path, entry]) => {
      const file = join(directory, path, 'package.json');
      return (
        existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version === entry?.version
      );
    });
}
