import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

const FOLDER = resolve(WORKSPACE_ROOT, 'tools/clients');
const MODULES = join(FOLDER, 'node_modules');

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean } | undefined>>;
}

/** The agents of tools/clients, at the versions of its lock file; their set-up steps copy the program of this machine to its place. */
export function installClients(): void {
  if (isInstalled()) return;
  console.log('installing the agents of tools/clients (1.2 GB)');
  const run = (args: readonly string[]) =>
    execFileSync('npm', args, { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] });
  run(['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']);
  run(['run', '--silent', 'set-up']);
}

export function readVersion(packageName: string): string {
  const file = join(MODULES, packageName, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

export function findBinary(name: string): string {
  return join(MODULES, '.bin', name);
}

function isInstalled(): boolean {
  if (!existsSync(join(MODULES, '.set-up'))) return false;
  const lock = JSON.parse(readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')) as Lock;
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && entry?.optional !== true && entry?.version !== undefined)
    .every(([path, entry]) => {
      const file = join(FOLDER, path, 'package.json');
      return (
        existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version === entry?.version
      );
    });
}
