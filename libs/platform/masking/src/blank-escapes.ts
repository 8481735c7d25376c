/** A run of backslashes with what it escapes, however often the text was encoded: `\n`, `\"`, `\\\"`, `\u003d`. */
const ESCAPE = /(?<!\\)\\{1,64}(?:u00([0-7][0-9A-Fa-f])|([nrtbf"'/]))/g;
/** The separators of a query inside of a parameter. */
const PERCENT = /%(?:25)?(3[DdAa]|26|2[02Cc]|0[AaDd]|3[BbFf])/g;

/**
 * The text with its escapes as what they stand for, padded with blanks to the same length: what is found in it lies at the
 * same place in the text. Without this, the `n` of `\n` glues to the word behind it and the beginning of a token is none.
 */
export function blankEscapes(text: string): string {
  const unescaped = text.includes('\\')
    ? text.replace(ESCAPE, (run, code: string | undefined, sign: string | undefined) =>
        (code === undefined ? toCharacter(sign) : String.fromCharCode(Number.parseInt(code, 16))).padStart(run.length),
      )
    : text;
  if (!unescaped.includes('%')) return unescaped;
  return unescaped.replace(PERCENT, (run, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)).padStart(run.length),
  );
}

function toCharacter(sign: string | undefined): string {
  if (sign === 'n' || sign === 'r') return '\n';
  return sign === '"' || sign === "'" || sign === '/' ? sign : ' ';
}

/** The text with its escapes as what they stand for. */
export function removeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_run, code: string | undefined, sign: string | undefined) =>
    code === undefined ? toCharacter(sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
