import type { Find } from './credential.ts';

const ESCAPE = /%[0-9A-Fa-f]{2}/g;
const HEX = /^[0-9A-Fa-f]{2}$/;
const URL_CHARACTER = /[\w.~!*'()+&=?;:/@$,#-]/;
/** Matches the text from the first escape to the end of the URL. */
const REST = /[\w.~!*'()+&=?;:/@$,#%-]+/y;
/** Maximum length of a name before the first escape: `password%3D`. */
const LONGEST_NAME = 128;
/** Maximum number of characters of a text that are decoded. */
const MOST = 1_048_576;
const BORDER = '\0';

/**
 * Finds credentials in percent-encoded passages, such as the parameters of a URL. All decoded passages are searched by
 * one call of `findIn`, since there may be very many.
 */
export function findInPercents(text: string, findIn: (text: string) => Find[], found: Find[]): void {
  if (!text.includes('%')) return;
  const decoded = decodeRuns(text);
  if (decoded === undefined) return;
  for (const find of findIn(decoded.text)) {
    const end = clip(decoded.text, find);
    const move = (at: number): number => decoded.places[at] ?? text.length;
    const moved = { start: move(find.start), end: move(end), rule: find.rule };
    if (find.credentials !== undefined) found.push({ ...moved, credentials: find.credentials });
    else if (find.secret === undefined || find.secret[1] > end) found.push(moved);
    else found.push({ ...moved, secret: [move(find.secret[0]), move(find.secret[1])] });
  }
}

/**
 * Returns the end of a match, cut off at the end of its passage, since the next passage is in another place of the
 * text.
 */
function clip(text: string, find: Find): number {
  const border = text.slice(find.start, find.end).indexOf(BORDER);
  return border < 0 ? find.end : find.start + border;
}

interface Decoded {
  readonly text: string;
  /** Position of each decoded character in the whole text. */
  readonly places: readonly number[];
}

function decodeRuns(text: string): Decoded | undefined {
  const parts: string[] = [];
  const places: number[] = [];
  ESCAPE.lastIndex = 0;
  let from = 0;
  for (let hit = ESCAPE.exec(text); hit !== null && places.length < MOST; hit = ESCAPE.exec(text)) {
    let start = hit.index;
    while (start > from && hit.index - start < LONGEST_NAME && URL_CHARACTER.test(text.charAt(start - 1))) start -= 1;
    REST.lastIndex = hit.index;
    REST.exec(text);
    from = REST.lastIndex;
    ESCAPE.lastIndex = from;
    decodeRun(text, { start, end: from }, parts, places);
    parts.push(BORDER);
    places.push(from);
  }
  return parts.length === 0 ? undefined : { text: parts.join(''), places };
}

function decodeRun(
  text: string,
  run: { readonly start: number; readonly end: number },
  parts: string[],
  places: number[],
): void {
  for (let at = run.start; at < run.end && places.length < MOST;) {
    const code = text.charAt(at) === '%' ? text.slice(at + 1, at + 3) : '';
    const isEscape = HEX.test(code);
    places.push(at);
    parts.push(isEscape ? String.fromCharCode(Number.parseInt(code, 16)) : text.charAt(at));
    at += isEscape ? 3 : 1;
  }
}
