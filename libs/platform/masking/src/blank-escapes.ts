/** A run of backslashes with what it escapes, however often the text was encoded: `\n`, `\"`, `\\\"`, `\u003d`. */
const ESCAPE = /(?<!\\)\\{1,64}(?:u00([0-7][0-9A-Fa-f])|([nrtbf"'/]))/g;
/** Of every character, as JSON writes what is not ASCII. */
const ANY_ESCAPE = /(?<!\\)\\{1,64}(?:u([0-9A-Fa-f]{4})|([nrtbf"'/]))/g;
/** The separators of a query inside of a parameter. */
const PERCENT = /%(?:25)?(3[DdAa]|26|2[02Cc]|0[AaDd]|3[BbFf])/g;

/** Of a text in which a call of a function replaces every other sign; all its matches at once would take a hundred times as much memory. */
const PART_LENGTH = 64 * 1024;

/**
 * The text with its escapes as what they stand for, padded with blanks to the same length: what is found in it lies at the
 * same place in the text. Without this, the `n` of `\n` glues to the word behind it and the beginning of a token is none.
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

/** The text with its escapes as what they stand for. */
export function removeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  const plain = replaceInParts(text, isBetweenEscapes, (part) =>
    part.replace(ANY_ESCAPE, (_run, code: string | undefined, sign: string | undefined) => readEscape(code, sign)),
  );
  // Half of a pair, where the text was cut.
  return plain.toWellFormed();
}

function readEscape(code: string | undefined, sign: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (sign === 'n' || sign === 'r') return '\n';
  return sign === '"' || sign === "'" || sign === '/' ? sign : ' ';
}

/** A long text part by part. @param isBetween - whether nothing that is replaced stands on both sides of a place */
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

/** Behind a whole one, or with no backslash as near as the longest is (`\u003d`). */
function isBetweenEscapes(text: string, at: number): boolean {
  if (text[at - 2] === '\\' && /[nrtbf"'/]/.test(text[at - 1] ?? '')) return true;
  return !text.slice(Math.max(0, at - 6), at).includes('\\');
}

/** The longest is `%253D`. */
function isBetweenPercents(text: string, at: number): boolean {
  return !text.slice(Math.max(0, at - 5), at).includes('%');
}
