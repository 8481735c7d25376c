import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean } | undefined>>;
}

/**
 * Installs the packages of a folder that has a package.json and a lock file of its own and is no workspace of the
 * repository, so that `npm ci` of the root leaves them out. Does nothing when the versions of the lock file are there.
 *
 * @param name - what the line on stderr calls the folder
 */
export function installNodePackages(directory: string, name: string): void {
  if (hasNodePackages(directory)) return;
  process.stderr.write(`installing the packages of ${name}, once\n`);
  // `npm ci` refuses a lock file that leaves out optional packages of other systems.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  // Output of npm is discarded: stdout belongs to the command that needs the packages.
  execFileSync('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Whether every package that is not optional is there in the version of the lock file. */
export function hasNodePackages(directory: string): boolean {
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
