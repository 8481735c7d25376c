import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** The shell commands of one section of a page, one string per block: a test runs exactly what a page shows. */
export function readCommands(page: string, section: string): readonly string[] {
  const text = readFileSync(resolve(WORKSPACE_ROOT, page), 'utf8');
  const found = text.split(/^## /m).find((part) => part.startsWith(`${section}\n`));
  if (found === undefined) throw new Error(`${page} has no section ${section}`);
  return [...found.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
}
