import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasPackages, installPackages } from '../packages/install-packages.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

const FOLDER = 'tools/clients';
const MODULES = resolve(WORKSPACE_ROOT, FOLDER, 'node_modules');

/**
 * Installs the agents in tools/clients (1.2 GB), with the versions of its lock file; their installation scripts install
 * the program for this platform.
 */
export function installClients(): void {
  if (existsSync(join(MODULES, '.set-up')) && hasPackages(FOLDER)) return;
  installPackages(FOLDER);
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  execFileSync('npm', ['run', '--silent', 'set-up'], { cwd: resolve(WORKSPACE_ROOT, FOLDER), stdio: [...stdio] });
}

export function readVersion(packageName: string): string {
  const file = join(MODULES, packageName, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

export function findBinary(name: string): string {
  return join(MODULES, '.bin', name);
}
