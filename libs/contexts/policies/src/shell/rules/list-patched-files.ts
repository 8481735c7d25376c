import { cleanPath } from './clean-path.ts';

/** Matches `*** Update File: a.ts` of `apply_patch`; the pattern below matches `+++ b/a.ts` of diffs. */
const NAMED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to):[ \t]*(.+)$/;
const DIFF = /^(?:---|\+\+\+) ([^\t]+)/;

/**
 * Returns the distinct clean paths of files that a patch adds, changes, moves or deletes; empty if the string is not a
 * patch.
 */
export function listPatchedFiles(text: string): string[] {
  const files = new Set<string>();
  const isNamed = text.includes('*** Begin Patch');
  for (const line of text.split(/\r?\n/)) {
    const name = isNamed ? NAMED.exec(line.trimStart())?.[1] : DIFF.exec(line)?.[1];
    if (name === undefined || name.trim() === '/dev/null') continue;
    files.add(cleanPath(isNamed ? name.trim() : name.trim().replace(/^[ab]\//, '')));
  }
  return [...files];
}
