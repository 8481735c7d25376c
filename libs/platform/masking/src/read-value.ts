/** The value after a label. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isQuoted: boolean;
}

const LONGEST_VALUE = 1024;
const LEAST_LENGTH = 4;
const BARE = /[^\s"'`,;&<>()[\]{}|]{4,128}/y;
/** Matches the rest of a longer value. */
const BARE_REST = /[^\s"'`,;&<>()[\]{}|]*/y;

/**
 * Reads a value from `at` on: to the closing quote if it is quoted, else to the next separator. In `text`, escapes must
 * already have been replaced by the characters they represent; `original` must still contain the escapes, because its
 * backslashes distinguish a quote inside the value from its end.
 */
export function readValue(text: string, original: string, at: number): Value | undefined {
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'" || quote === '`') return readQuoted(text, original, { at, quote });
  BARE.lastIndex = at;
  const bare = BARE.exec(text)?.[0];
  return bare === undefined ? undefined : { start: at, end: at + bare.length, text: bare, isQuoted: false };
}

function readQuoted(
  text: string,
  original: string,
  open: { readonly at: number; readonly quote: string },
): Value | undefined {
  const start = open.at + 1;
  const depth = countBackslashes(original, open.at);
  let close = text.indexOf(open.quote, start);
  while (close >= 0 && close - start <= LONGEST_VALUE && countBackslashes(original, close) > depth) {
    close = text.indexOf(open.quote, close + 1);
  }
  // If the closing quote is missing or too far away, the value extends to the end of the line, but not beyond the
  // maximum length.
  const isOpen = close < 0 || close - start > LONGEST_VALUE;
  const lineEnd = text.slice(start, start + LONGEST_VALUE).search(/[\r\n]/);
  const limit = lineEnd < 0 ? Math.min(text.length, start + LONGEST_VALUE) : start + lineEnd;
  const raw = text.slice(start, isOpen ? limit : close);
  // A quote that is closed on another line does not begin a value, unless it is a backtick, or the quote or the line
  // break is escaped.
  if (!isOpen && lineEnd >= 0 && close > limit && original.charAt(limit) === '\n' && depth === 0 && open.quote !== '`')
    return undefined;
  const trimmed = raw.trimEnd();
  if (trimmed.length < LEAST_LENGTH) return undefined;
  return { start, end: start + trimmed.length, text: trimmed.trimStart(), isQuoted: true };
}

function countBackslashes(text: string, at: number): number {
  let count = 0;
  while (count < 64 && text.charAt(at - 1 - count) === '\\') count += 1;
  return count;
}

/** Returns the end of an unquoted value whose beginning was read: the rest is read only if the value is hidden. */
export function findBareEnd(text: string, value: Value): number {
  if (value.isQuoted) return value.end;
  BARE_REST.lastIndex = value.end;
  BARE_REST.exec(text);
  return BARE_REST.lastIndex;
}
