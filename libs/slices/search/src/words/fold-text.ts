/*
 * One form for what reads alike: words are indexed and looked for in it. What is shown stays as it was written.
 */

const OTHER_THAN_ASCII = /[^\p{ASCII}]/u;
/** Forms that stand for other letters: ligatures, Arabic letters by their place, full and half width, letters of formulas. */
const STYLED = /[\uFB00-\uFDFB\uFE70-\uFEFC\uFF01-\uFFEF\u{1D400}-\u{1D7FF}]+/gu;
/** Soft hyphens, joiners, spaces without width, signs of direction, variants: nothing of them is seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** Vowels and other points of Arabic and Hebrew, which most texts leave out, and the stroke that lengthens a word. */
const POINTS = /\u0640|(?=\p{Mn})[\u0591-\u05C7\u0610-\u061A\u064B-\u0652\u0656-\u065F\u0670\u06D6-\u06ED]/gu;
/** Letters that the lower case of the database keeps apart. */
const TWINS: Readonly<Record<string, string>> = { ς: 'σ', ß: 'ss', ẞ: 'ss', İ: 'i' };
const TWIN = /[ςßẞİ]/gu;
const PIECES = /[\p{L}\p{M}\p{N}]+(?:\p{Default_Ignorable_Code_Point}+[\p{L}\p{M}\p{N}]+)+/gu;

/** An accent is one with its letter, however it was typed. */
export function normaliseAccents(text: string): string {
  return text.normalize('NFC');
}

/** Accents in one form, full width as usual, without vowel points and what is invisible. As long as `text`, or shorter or longer. */
export function foldText(text: string): string {
  if (!OTHER_THAN_ASCII.test(text)) return text;
  return text
    .normalize('NFC')
    .replaceAll(STYLED, (letters) => letters.normalize('NFKC'))
    .replaceAll(INVISIBLE, '')
    .replaceAll(POINTS, '')
    .replaceAll(TWIN, (letter) => TWINS[letter] ?? letter)
    .normalize('NFC');
}

/** Words with something invisible inside, each as its pieces: that may have stood for a blank. */
export function listPieces(text: string): string[][] {
  if (!OTHER_THAN_ASCII.test(text)) return [];
  return [...text.matchAll(PIECES)].map(([word]) =>
    word
      .split(INVISIBLE)
      .map((piece) => foldText(piece).toLowerCase())
      .filter((piece) => /^[\p{L}\p{M}\p{N}]+$/u.test(piece)),
  );
}
