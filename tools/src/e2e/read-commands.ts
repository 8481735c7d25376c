import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * Returns the shell commands of one section of a page, as one string per block, so that a test runs exactly what a page
 * shows.
 */
export function readCommands(page: string, section: string): readonly string[] {
  const text = readFileSync(resolve(WORKSPACE_ROOT, page), 'utf8');
  const found = text.split(/^## /m).find((part) => part.startsWith(`${section}\n`));
  if (found === undefined) throw new Error(`${page} has no section ${section}`);
  return [...found.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
}
