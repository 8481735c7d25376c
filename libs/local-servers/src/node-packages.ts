import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withInstallLockSync } from './install-lock.ts';

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage | undefined>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/**
 * Installs the packages of a folder that has its own package.json and lock file. The folder is not a workspace of the
 * repository, so `npm ci` in the root omits its packages. Does nothing if the versions in the lock file are already
 * installed.
 *
 * @param name - name of the folder in messages on stderr
 */
export function installNodePackages(directory: string, name: string): void {
  install(directory, name, ['--ignore-scripts']);
}

/**
 * Installs the development dependencies of the repository, which `npm ci` leaves out (`.npmrc`), in addition to the
 * installed packages. Does nothing if the versions in the lock file are already installed.
 */
export function installDevelopmentPackages(root: string): void {
  install(root, 'developers', ['--include=dev']);
}

function install(directory: string, name: string, more: readonly string[]): void {
  if (hasNodePackages(directory)) return;
  withInstallLockSync(() => {
    // The check is repeated, because another process may have installed the packages in the meantime.
    if (hasNodePackages(directory)) return;
    process.stderr.write(`installing the packages of ${name}, once\n`);
    // `npm ci` is not used, because it rejects a lock file without the optional packages for other systems.
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error', ...more];
    // The output of npm is discarded, since stdout is used by the command that needs the packages.
    execFileSync('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  });
}

/**
 * Returns true if every non-optional package is installed in the version of the lock file. The installed versions are
 * read from npm's own record of the installation, since the version in a package's manifest may differ.
 */
export function hasNodePackages(directory: string): boolean {
  const installed = readLock(join(directory, 'node_modules/.package-lock.json'));
  return Object.entries(readLock(join(directory, 'package-lock.json'))).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry?.version === undefined) return true;
    if (entry.optional === true || entry.devOptional === true) return true;
    return installed[path]?.version === entry.version && existsSync(join(directory, path));
  });
}

function readLock(file: string): Lock['packages'] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Lock).packages : {};
}
