import type { Find } from './credential.ts';
import { findInBase64, mayBeText } from './find-in-base64.ts';
import { RUN_SHAPES } from './run-shapes.ts';

/** Minimum length of a word that may be a key without a prefix or a label, or a base64-encoded text. */
const SHORTEST_RUN = 24;
const EQUALS = 0x3d;
/** For each ASCII character, 1 if a key or a base64-encoded text may contain it. */
const RUN_CHARACTERS = new Uint8Array(128);
for (let code = 0; code < 128; code += 1)
  RUN_CHARACTERS[code] = /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0;
const SHORTEST_KEY = 32;
const LONGEST_KEY = 128;
/**
 * Matches characters after which a word is recognized as a key only if its shape is unambiguous: there, other words may
 * be digests, addresses or parts of a URL.
 */
const BESIDE_OTHERS = /[=.@]/;

/**
 * Calls `visit` with the start and the end of each word of at least `SHORTEST_RUN` characters, including up to two
 * equals signs after it. Looks only at every 24th character and around it: each such word contains one of these
 * characters.
 */
function visitRuns(text: string, visit: (start: number, end: number) => void): void {
  const isInRun = (at: number): boolean => RUN_CHARACTERS[text.charCodeAt(at)] === 1;
  for (let at = SHORTEST_RUN - 1; at < text.length; at += SHORTEST_RUN) {
    if (!isInRun(at)) continue;
    let start = at;
    while (isInRun(start - 1)) start -= 1;
    while (isInRun(at)) at += 1;
    if (at - start >= SHORTEST_RUN) visit(start, endOfPadding(text, at, isInRun));
  }
}

/**
 * Returns the end of the equals signs after a word. If another word follows directly, the last equals sign is a
 * separator and not included.
 */
function endOfPadding(text: string, start: number, isInRun: (at: number) => boolean): number {
  let end = start;
  while (end < start + 2 && text.charCodeAt(end) === EQUALS) end += 1;
  return end > start && isInRun(end) ? end - 1 : end;
}

/** Finds keys identified only by length and alphabet and, if `findIn` is given, credentials in base64-encoded texts. */
export function findLongRuns(text: string, found: Find[], findIn?: (text: string) => Find[]): void {
  let decodedUntil = 0;
  visitRuns(text, (start, end) => {
    const run = text.slice(start, end);
    if (run.length >= SHORTEST_KEY && run.length <= LONGEST_KEY) readKey(text, start, run, found);
    if (findIn === undefined || start < decodedUntil || !mayBeText(run)) return;
    decodedUntil = findInBase64(text, { start, end }, findIn, found);
  });
}

function readKey(text: string, start: number, run: string, found: Find[]): void {
  const end = start + run.length;
  const isAlone = !BESIDE_OTHERS.test(text.charAt(start - 1)) && !/[=@]/.test(text.charAt(end));
  const shape = RUN_SHAPES.find(
    ({ pattern, isCredential, mayHaveNeighbours = false }) =>
      (isAlone || mayHaveNeighbours) && pattern.test(run) && isCredential?.(run) !== false,
  );
  if (shape !== undefined) found.push({ start, end, rule: shape.id });
}
