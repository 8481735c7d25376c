import type { Find } from './credential.ts';
import { listCredentials } from './list-credentials.ts';

/** Maximum number of characters of each passage that are decoded. */
const LONGEST = 262_144;
/** Pattern for four characters of base64 that decode to three characters of printable ASCII or white space. */
const QUAD = '[CDI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]';
const BEGINNING = new RegExp(`^(?:${QUAD}){4}`);

/**
 * Returns whether a passage begins like base64-encoded text; hardly any word, digest, key or image begins like this.
 */
export function mayBeText(run: string): boolean {
  return BEGINNING.test(run);
}

/** Matches the next lines of the same passage: each has at least 20 characters, except for the last one. */
const MORE_LINES =
  /(?:[ \t]{0,64}\r?\n[ \t]{0,64}[A-Za-z0-9+/]{20,}={0,2}(?=\s|["'`]|$)){0,4096}(?:[ \t]{0,64}\r?\n[ \t]{0,64}[A-Za-z0-9+/]{1,19}={0,2}(?=\s|["'`]|$))?/y;

/** Hides a passage of base64 if its decoded text contains a credential. Returns the end of the decoded part. */
export function findInBase64(
  text: string,
  run: { readonly start: number; readonly end: number },
  findIn: (text: string) => Find[],
  found: Find[],
): number {
  MORE_LINES.lastIndex = run.end;
  const lines = MORE_LINES.exec(text)?.[0] ?? '';
  const end = run.end + lines.length;
  const decoded = Buffer.from(text.slice(run.start, Math.min(end, run.start + LONGEST)), 'base64').toString('utf8');
  const inner = findIn(decoded);
  if (inner.length > 0) {
    const credentials = inner.flatMap((find) => listCredentials(decoded, find));
    found.push({ start: run.start, end, rule: 'base64', credentials });
  }
  return Math.min(end, run.start + LONGEST);
}
