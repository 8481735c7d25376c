/**
 * Matches backslashes and the escaped character, for strings that were encoded any number of times: `\n`, `\"`, `\\\"`,
 * `\u003d`.
 */
const ESCAPE = /(?<!\\)\\{1,64}(?:u00([0-7][0-9A-Fa-f])|([nrtbf"'/]))/g;
/** Matches the same escapes, and those with which JSON writes non-ASCII characters. */
const ANY_ESCAPE = /(?<!\\)\\{1,64}(?:u([0-9A-Fa-f]{4})|([nrtbf"'/]))/g;
/** Matches the percent-encoded separators of a query that is itself the value of a parameter. */
const PERCENT = /%(?:25)?(3[DdAa]|26|2[02Cc]|0[AaDd]|3[BbFf])/g;

/**
 * Length of the parts in which a long text is processed: if every other character is a match, replacing all matches at
 * once with a function would need a hundred times as much memory.
 */
const PART_LENGTH = 64 * 1024;

/**
 * Returns the text with each escape and each percent-encoded separator replaced by the character it represents, padded
 * with spaces to the same length, so that matches have the same position as in the original text. Without the
 * replacement, the `n` of `\n` would be treated as part of the next word, and the beginning of a token would not be
 * recognized.
 */
export function blankEscapes(text: string): string {
  const unescaped = text.includes('\\')
    ? replaceInParts(text, isBetweenEscapes, (part) =>
        part.replace(ESCAPE, (run, code: string | undefined, sign: string | undefined) =>
          readEscape(code, sign).padStart(run.length),
        ),
      )
    : text;
  if (!unescaped.includes('%')) return unescaped;
  return replaceInParts(unescaped, isBetweenPercents, (part) =>
    part.replace(PERCENT, (run, code: string) => String.fromCharCode(Number.parseInt(code, 16)).padStart(run.length)),
  );
}

/** Returns the text with each escape replaced by the character it represents. */
export function removeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  const plain = replaceInParts(text, isBetweenEscapes, (part) =>
    part.replace(ANY_ESCAPE, (_run, code: string | undefined, sign: string | undefined) => readEscape(code, sign)),
  );
  // A truncated text may end with a lone surrogate.
  return plain.toWellFormed();
}

function readEscape(code: string | undefined, sign: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (sign === 'n' || sign === 'r') return '\n';
  return sign === '"' || sign === "'" || sign === '/' ? sign : ' ';
}

/**
 * Processes a long text in parts.
 * @param isBetween - returns true if a position is not inside a match
 */
function replaceInParts(
  text: string,
  isBetween: (text: string, at: number) => boolean,
  replace: (part: string) => string,
): string {
  if (text.length <= PART_LENGTH) return replace(text);
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PART_LENGTH, text.length);
    while (end < text.length && !isBetween(text, end)) end += 1;
    parts.push(replace(text.slice(start, end)));
    start = end;
  }
  return parts.join('');
}

/**
 * Returns true if a complete escape sequence ends at the position, or if no backslash precedes the position within the
 * length of the longest sequence (`\u003d`).
 */
function isBetweenEscapes(text: string, at: number): boolean {
  if (text[at - 2] === '\\' && /[nrtbf"'/]/.test(text[at - 1] ?? '')) return true;
  return !text.slice(Math.max(0, at - 6), at).includes('\\');
}

/** Returns true if no percent sign precedes the position within the length of the longest sequence (`%253D`). */
function isBetweenPercents(text: string, at: number): boolean {
  return !text.slice(Math.max(0, at - 5), at).includes('%');
}
