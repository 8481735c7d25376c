import { mkdirSync, mkdtempSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * Creates a folder in this repository, because engines that can access only a part of the machine are most likely to
 * have access to its working copies.
 */
export function makeFolder(name: string): string {
  const root = resolve(WORKSPACE_ROOT, 'tmp');
  mkdirSync(root, { recursive: true });
  return mkdtempSync(resolve(root, `${name}-`));
}
