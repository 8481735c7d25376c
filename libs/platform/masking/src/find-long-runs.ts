import type { Find } from './credential.ts';
import { findInBase64, mayBeText } from './find-in-base64.ts';
import { RUN_SHAPES } from './run-shapes.ts';

/** Matches a word long enough to be a key without a prefix or a label, or a base64-encoded text. */
const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}(?![A-Za-z0-9+/_-])/g;
const SHORTEST_KEY = 32;
const LONGEST_KEY = 128;
/** Matches characters next to which a key is not recognized: there, it is a digest, an address or a part of a URL. */
const BESIDE_OTHERS = /[=.@]/;

/** Finds keys identified only by length and alphabet; with `findIn` also credentials in base64-encoded texts. */
export function findLongRuns(text: string, found: Find[], findIn?: (text: string) => Find[]): void {
  let decodedUntil = 0;
  RUN.lastIndex = 0;
  for (let hit = RUN.exec(text); hit !== null; hit = RUN.exec(text)) {
    const [run] = hit;
    if (run.length >= SHORTEST_KEY && run.length <= LONGEST_KEY) readKey(text, hit.index, run, found);
    if (findIn === undefined || hit.index < decodedUntil || !mayBeText(run)) continue;
    const end = hit.index + run.length;
    decodedUntil = findInBase64(text, { start: hit.index, end }, findIn, found);
    // The nested search uses the same regular expression and has changed its `lastIndex`.
    RUN.lastIndex = end;
  }
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
