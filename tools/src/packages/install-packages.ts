import { resolve } from 'node:path';
import { hasNodePackages, installNodePackages } from '@steward/local-servers';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * Installs the packages of a folder that is in the repository but not a workspace, unless they are already installed.
 */
export function installPackages(folder: string): void {
  installNodePackages(resolve(WORKSPACE_ROOT, folder), folder);
}

/** Returns true if the packages are installed in the versions of the lock file. */
export function hasPackages(folder: string): boolean {
  return hasNodePackages(resolve(WORKSPACE_ROOT, folder));
}
