/**
 * Matches characters that change how a text is read: control characters, bidirectional and other format characters,
 * line separators, lone surrogates, and everything invisible. The blank Braille pattern counts as invisible only
 * outside Braille text.
 */
const SIGNS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Line feed, tab, and format characters that are visible because they enclose numbers in Arabic and Kaithi. */
const SEEN = new Set('\n\t\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}');
/** Flags that are written with tags: England, Scotland, Wales. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(
  (region) =>
    `\u{1f3f4}${[...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`,
);
/** Number of UTF-16 units on either side that are considered for a character: the length of the longest flag. */
const WINDOW = 14;

/** Matches a character of a writing system whose letters change if a joiner or a non-joiner is between them. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const PICTURE_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;

/**
 * Prepares external text for people who base decisions on it: every character that is invisible, or reorders others,
 * appears as its code (`\u{202e}`). Line feeds and tabs stay, and so do characters that correct spelling requires, for
 * example a joiner inside an emoji or between letters that it joins, a variation selector after a character with
 * variants, and the tags of a flag.
 */
export function showSigns(text: string): string {
  return replaceSigns(text, (sign) => `\\u{${codeOf(sign).toString(16)}}`);
}

/** Returns equivalent JSON with invisible and reordering characters escaped, for people who read the JSON text. */
export function escapeSigns(json: string): string {
  return replaceSigns(json, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

function replaceSigns(text: string, write: (sign: string) => string): string {
  return text.replaceAll(SIGNS, (sign, offset: number) => (isPartOfWriting(text, sign, offset) ? sign : write(sign)));
}

function codeOf(sign: string): number {
  return sign.codePointAt(0) ?? 0;
}

/**
 * Returns whether correct spelling requires a character. Examines only the characters around it, because texts are long
 * and a sender may fill a text with such characters.
 */
function isPartOfWriting(text: string, sign: string, offset: number): boolean {
  if (SEEN.has(sign)) return true;
  const start = Math.max(0, offset - WINDOW);
  const before = text.slice(start, offset);
  const after = text.slice(offset + sign.length, offset + sign.length + WINDOW);
  const code = codeOf(sign);
  if (code === 0x200c) return joins(before, after);
  if (code === 0x200d) return joins(before, after) || (PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(after));
  if (code === 0x2800) return isBraille(before.at(-1)) || isBraille(after.at(0));
  if (code >= 0xe0020 && code <= 0xe007f) return isInFlag(before + sign + after, before.length);
  return isVariant(code, before, after);
}

function joins(before: string, after: string): boolean {
  return [lastOf(before), firstOf(after)].every((letter) => JOINING.test(letter) && LETTER.test(letter));
}

function isVariant(code: number, before: string, after: string): boolean {
  const base = lastOf(before);
  if (code === 0xfe0e || code === 0xfe0f) {
    return /^\p{Extended_Pictographic}$/u.test(base) || (/^[#*0-9]$/.test(base) && after.startsWith('\u20e3'));
  }
  if ((code >= 0xfe00 && code <= 0xfe02) || (code >= 0xe0100 && code <= 0xe01ef)) return /^\p{Script=Han}$/u.test(base);
  const isMongolian = (code >= 0x180b && code <= 0x180d) || code === 0x180f;
  return isMongolian && /^\p{Script=Mongolian}$/u.test(base) && /^\p{L}$/u.test(base);
}

function isInFlag(window: string, at: number): boolean {
  const start = window.lastIndexOf('\u{1f3f4}', at);
  return start >= 0 && FLAGS.some((flag) => window.startsWith(flag, start) && at < start + flag.length);
}

function isBraille(sign: string | undefined): boolean {
  return sign !== undefined && sign > '\u2800' && sign <= '\u28ff';
}

function firstOf(text: string): string {
  return text === '' ? '' : String.fromCodePoint(codeOf(text));
}

function lastOf(text: string): string {
  return /.$/su.exec(text)?.[0] ?? '';
}
