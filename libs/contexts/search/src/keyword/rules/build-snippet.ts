import { isUnspaced, listForms } from '../../words/split-words.ts';

/** Maximum length of a snippet in characters, without its marks. */
export const SNIPPET_LENGTH = 260;
/** Number of characters shown before the first match of a snippet. */
const LEAD = 60;
/** Maximum number of marked matches in one chunk; a chunk has at most 1,200 characters. */
const MAX_MATCHES = 200;
/** Maximum number of matches checked in one chunk, including those within words. */
const MAX_CANDIDATES = 500;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Returns a pattern that finds a query's words in a text, ignoring case; `isInsideWord` is then used to drop matches
 * that the text index would not find. A word that ends with `*` matches up to the end of the word in the text. Returns
 * undefined if there are no words.
 */
export function createTermMatcher(words: readonly string[]): RegExp | undefined {
  const forms = words.filter((word) => word !== '').sort((a, b) => b.length - a.length);
  if (forms.length === 0) return undefined;
  const escapeSigns = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const patterns = forms.map((word) =>
    /[\p{L}\p{N}]\*$/u.test(word) ? `${escapeSigns(word.slice(0, -1))}[\\p{L}\\p{M}\\p{N}]*` : escapeSigns(word),
  );
  return new RegExp(patterns.join('|'), 'giu');
}

/**
 * Maximum distance from a match within which the code looks for the borders of its word. A lookbehind in the pattern
 * would be tried at every position of the text, which takes three times as long.
 */
const LONGEST_WORD = 80;

interface Span {
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

/**
 * Returns the part of a text with the most different words of the query, as HTML: matches in `<mark>`, everything else
 * escaped.
 *
 * @param options.isMarked - false for a text that was not found by its words
 */
export function buildSnippet(text: string, matcher: RegExp | undefined, { isMarked = true } = {}): string {
  const spans = matcher === undefined ? [] : findSpans(text, matcher);
  const { start, end } = chooseWindow(text, spans);
  const inside = isMarked ? spans.filter((span) => span.start >= start && span.end <= end) : [];
  let html = start > 0 ? '… ' : '';
  let from = start;
  for (const span of inside) {
    html += `${escape(text.slice(from, span.start))}<mark>${escape(text.slice(span.start, span.end))}</mark>`;
    from = span.end;
  }
  return `${html}${escape(text.slice(from, end))}${end < text.length ? ' …' : ''}`;
}

function findSpans(text: string, matcher: RegExp): Span[] {
  const spans: Span[] = [];
  let candidates = 0;
  for (const match of text.matchAll(matcher)) {
    const start = match.index;
    const end = start + match[0].length;
    candidates += 1;
    if (!isInsideWord(text, start, end)) spans.push({ start, end, word: match[0].toLowerCase() });
    if (spans.length === MAX_MATCHES || candidates === MAX_CANDIDATES) break;
  }
  return spans;
}

/** Matches a character of a word, or half of a surrogate pair, since the pair may be such a character. */
const OF_WORD = /[\p{L}\p{M}\p{N}\p{Cs}]/u;
const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}]$/u;
const ASCII_WORD_CHARACTERS = new Set(
  [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].map(codeOf),
);
/** Matches a word that has no parts that are indexed separately. */
const ONE_PIECE = /^(?:[A-Za-z]?[a-z]*|[A-Z]*)$/;

/** Returns whether a match is only a part of a word, and the text index does not contain this part separately. */
function isInsideWord(text: string, start: number, end: number): boolean {
  // This check saves time: nearly all matches have no word character next to them, and a page of results contains
  // hundreds of matches of a common word.
  if (!OF_WORD.test(text.charAt(start - 1)) && !OF_WORD.test(text.charAt(end))) return false;
  const match = text.slice(start, end);
  const before = text.slice(findWordBefore(text, start), start);
  const behind = text.slice(end, findWordBehind(text, end));
  if (ONE_PIECE.test(`${before}${match}${behind}`)) return before !== '' || behind !== '';
  const head = /^[\p{L}\p{M}\p{N}]*/u.exec(match)?.[0] ?? '';
  if (head === match) return isPiece(match, before, behind);
  const tail = /[\p{L}\p{M}\p{N}]*$/u.exec(match)?.[0] ?? '';
  return isPiece(head, before, '') || isPiece(tail, '', behind);
}

/**
 * Returns the start of the word that ends at `end`. A regular expression would be tried at each character of the word.
 */
function findWordBefore(text: string, end: number): number {
  const least = Math.max(0, end - LONGEST_WORD);
  let start = end;
  while (start > least) {
    const size = start - 2 >= least && isPair(text, start - 2) ? 2 : 1;
    if (!isWordCharacter(text, start - size, size)) break;
    start -= size;
  }
  return start;
}

function findWordBehind(text: string, start: number): number {
  const most = Math.min(text.length, start + LONGEST_WORD);
  let end = start;
  while (end < most) {
    const size = end + 2 <= most && isPair(text, end) ? 2 : 1;
    if (!isWordCharacter(text, end, size)) break;
    end += size;
  }
  return end;
}

function isWordCharacter(text: string, place: number, size: number): boolean {
  const code = text.charCodeAt(place);
  return code < 0x80 ? ASCII_WORD_CHARACTERS.has(code) : WORD_CHARACTER.test(text.slice(place, place + size));
}

function isPair(text: string, place: number): boolean {
  return (text.codePointAt(place) ?? 0) > 0xffff;
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

function isPiece(part: string, before: string, behind: string): boolean {
  if (before === '' && behind === '') return false;
  const goesOn = (neighbour: string, own: string | undefined): boolean => neighbour !== '' && !isUnspaced(own ?? '');
  const [first, last] = [[...part].at(0), [...part].at(-1)];
  if (!goesOn(before, first) && !goesOn(behind, last)) return false;
  return !listForms(`${before}${part}${behind}`).includes(part.toLowerCase());
}

/**
 * Returns the window that begins shortly before a match and contains the most different words; of several windows with
 * the same number, the earliest one.
 */
function chooseWindow(text: string, spans: readonly Span[]): { start: number; end: number } {
  if (text.length <= SNIPPET_LENGTH) return { start: 0, end: text.length };
  let best = { start: 0, words: 0 };
  for (const [index, first] of spans.entries()) {
    const start = Math.max(0, first.start - LEAD);
    const words = new Set<string>();
    for (let next = index; next < spans.length && (spans[next]?.end ?? 0) <= start + SNIPPET_LENGTH; next += 1) {
      words.add(spans[next]?.word ?? '');
    }
    if (words.size > best.words) best = { start, words: words.size };
  }
  const start = best.start === 0 ? 0 : findWordStart(text, best.start);
  return { start, end: findWordEnd(text, Math.min(text.length, start + SNIPPET_LENGTH), start) };
}

/**
 * Returns the start of the first word that begins at this position or fewer than `LEAD / 2` characters after it;
 * without such a word, returns the position itself.
 */
function findWordStart(text: string, from: number): number {
  for (let place = from; place < from + LEAD / 2; place += 1) {
    if (/\s/.test(text[place - 1] ?? ' ')) return place;
  }
  return isLowSurrogate(text, from) ? from + 1 : from;
}

function findWordEnd(text: string, from: number, start: number): number {
  if (from >= text.length) return text.length;
  for (let place = from; place > Math.max(start, from - LEAD / 2); place -= 1) {
    if (/\s/.test(text[place] ?? ' ')) return place;
  }
  return isLowSurrogate(text, from) ? from - 1 : from;
}

function isLowSurrogate(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
