import { GOES_ON } from '../../words/index-words.ts';

const WORD = `'(?:[^']|'')*'`;
/** Matches consecutive words of the text itself, without derived words, which have a weight label. */
const PHRASE = new RegExp(`${WORD}(?: <(?:-|\\d+)> ${WORD})+(?!:)`, 'g');
const STEP = new RegExp(` (<(?:-|\\d+)>) (${WORD})`, 'g');
/**
 * Minimum length, in letters plus one per gap, of the part of a phrase before a border: a shorter part is also
 * contained in the next chunk.
 */
const SHORTEST = 80;
/**
 * Maximum number of words of a phrase for which borders are considered: the most that a query can have with words of
 * six letters.
 */
const MOST_WORDS = 120;

/**
 * Extends a query so that it also finds long phrases that cross the border between two chunks: a chunk that is
 * continued ends with a mark, so the beginning of a phrase followed by the mark is searched in addition to the phrase.
 * Shorter phrases are always contained in one of the two chunks, because chunks overlap.
 *
 * @param tsquery - string form of a parsed query; the result has the same form
 */
export function spanBorders(tsquery: string): string {
  if (tsquery.length <= SHORTEST) return tsquery;
  return tsquery.replaceAll(PHRASE, (phrase) => {
    const endings = listEndings(phrase);
    return endings === undefined ? phrase : `( ${phrase} | ${endings.head} <-> ( ${endings.tails.join(' | ')} ) )`;
  });
}

interface Endings {
  /** Common prefix of all parts before a border. */
  readonly head: string;
  /** Possible continuations up to the border, with the mark. */
  readonly tails: readonly string[];
}

function listEndings(phrase: string): Endings | undefined {
  const steps = [...phrase.matchAll(STEP)].map(([whole, operator = '', word = '']) => ({ whole, operator, word }));
  if (steps.length >= MOST_WORDS) return undefined;
  let at = phrase.indexOf(' <');
  let length = at;
  let tail = '';
  let head: string | undefined;
  const tails: string[] = [];
  for (const { whole, operator, word } of steps) {
    // If the parser omitted a word between these two words, the mark cannot be between them.
    if (length >= SHORTEST && operator === '<->') {
      head ??= phrase.slice(0, at);
      tails.push(`${tail}'${GOES_ON}'`);
    }
    if (head !== undefined) tail = `${tail}${word} <-> `;
    if (head !== undefined && operator !== '<->') break;
    length += word.length - 1;
    at += whole.length;
  }
  return head === undefined ? undefined : { head, tails };
}
