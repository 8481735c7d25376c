import { resolve } from 'node:path';
import { hasNodePackages, installNodePackages } from '@steward/local-servers';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Installs the packages of a folder of the repository that is not a workspace, unless they are installed. */
export function installPackages(folder: string): void {
  installNodePackages(resolve(WORKSPACE_ROOT, folder), folder);
}

/** Returns true if they are installed in the versions of the lock file. */
export function hasPackages(folder: string): boolean {
  return hasNodePackages(resolve(WORKSPACE_ROOT, folder));
}
