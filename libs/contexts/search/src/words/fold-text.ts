/*
 * Normalizes variants of characters: words are indexed and searched in the normalized form. Displayed text is not
 * changed.
 */

const OTHER_THAN_ASCII = /[^\p{ASCII}]/u;
/**
 * Matches variants of letters: ligatures, positional forms of Arabic letters, full and half width, mathematical
 * letters.
 */
const STYLED = /[\uFB00-\uFDFB\uFE70-\uFEFC\uFF01-\uFFEF\u{1D400}-\u{1D7FF}]+/gu;
/** Matches invisible characters: soft hyphens, joiners, zero-width spaces, direction marks and variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
const HAS_INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** Matches vowel points of Arabic and Hebrew, which most texts omit, and the Arabic elongation stroke. */
const POINTS = /\u0640|(?=\p{Mn})[\u0591-\u05C7\u0610-\u061A\u064B-\u0652\u0656-\u065F\u0670\u06D6-\u06ED]/gu;
/**
 * Variants of letters that remain different when the database converts text to lower case, each with the form that
 * replaces it.
 */
const TWINS: Readonly<Record<string, string>> = { ς: 'σ', ß: 'ss', ẞ: 'ss', İ: 'i' };
const TWIN = /[ςßẞİ]/gu;
/**
 * Matches a character that the steps after the normalization of accents may change; a text without such a character is
 * not processed further.
 */
const TO_FOLD =
  /[\u0591-\u06ED\uFB00-\uFDFB\uFE70-\uFEFC\uFF01-\uFFEF\u{1D400}-\u{1D7FF}ςßẞİ\p{Default_Ignorable_Code_Point}]/u;
const PIECES = /[\p{L}\p{M}\p{N}]+(?:\p{Default_Ignorable_Code_Point}+[\p{L}\p{M}\p{N}]+)+/gu;

/** Represents each letter with an accent as one character, even if it was typed as two. */
export function normaliseAccents(text: string): string {
  return text.normalize('NFC');
}

/**
 * Normalizes accents and variants of letters, and removes vowel points and invisible characters. The length of the text
 * may change.
 */
export function foldText(text: string): string {
  if (!OTHER_THAN_ASCII.test(text)) return text;
  const composed = text.normalize('NFC');
  if (!TO_FOLD.test(composed)) return composed;
  return composed
    .replaceAll(STYLED, (letters) => letters.normalize('NFKC'))
    .replaceAll(INVISIBLE, '')
    .replaceAll(POINTS, '')
    .replaceAll(TWIN, (letter) => TWINS[letter] ?? letter)
    .normalize('NFC');
}

/**
 * Returns the words with invisible characters inside, each split into its pieces, since such a character may be used
 * instead of a space.
 */
export function listPieces(text: string): string[][] {
  if (!HAS_INVISIBLE.test(text)) return [];
  return [...text.matchAll(PIECES)].map(([word]) =>
    word
      .split(INVISIBLE)
      .map((piece) => foldText(piece).toLowerCase())
      .filter((piece) => /^[\p{L}\p{M}\p{N}]+$/u.test(piece)),
  );
}
