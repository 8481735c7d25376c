import { mkdirSync, mkdtempSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Creates a folder in this repository: engines that do not see the whole machine see its working copies first. */
export function makeFolder(name: string): string {
  const root = resolve(WORKSPACE_ROOT, 'tmp');
  mkdirSync(root, { recursive: true });
  return mkdtempSync(resolve(root, `${name}-`));
}
