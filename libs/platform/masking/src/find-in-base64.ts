import type { Find } from './credential.ts';
import { listCredentials } from './list-credentials.ts';

/** What is decoded of one passage, in characters. */
const LONGEST = 262_144;
/** Four characters of base64 that are three characters of ASCII and no control signs but blanks. */
const QUAD = '[CDI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]';
const BEGINNING = new RegExp(`^(?:${QUAD}){4}`);

/** Next to no word, digest, key or image begins as a text does in base64. */
export function mayBeText(run: string): boolean {
  return BEGINNING.test(run);
}

/** Hides a passage of base64 when there is a credential in what it encodes. */
export function findInBase64(
  { run, at }: { readonly run: string; readonly at: number },
  findIn: (text: string) => Find[],
  found: Find[],
): void {
  const decoded = Buffer.from(run.slice(0, LONGEST), 'base64').toString('utf8');
  const inner = findIn(decoded);
  if (inner.length === 0) return;
  const credentials = inner.flatMap((find) => listCredentials(decoded, find));
  found.push({ start: at, end: at + run.length, rule: 'base64', credentials });
}
