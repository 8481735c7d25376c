import { GOES_ON } from '../../words/index-words.ts';

const WORD = `'(?:[^']|'')*'`;
/** Words that follow each other in the text itself; those derived from words carry a weight. */
const PHRASE = new RegExp(`${WORD}(?: <(?:-|\\d+)> ${WORD})+(?!:)`, 'g');
const STEP = new RegExp(` (<(?:-|\\d+)>) (${WORD})`, 'g');
/** Letters of a phrase, and a sign for each gap, that lie before a border at least: a shorter beginning is whole in the next chunk. */
const SHORTEST = 80;
/** Words of a phrase up to which it is looked for at borders: as many of six letters are as long as a query may be. */
const MOST_WORDS = 120;

/**
 * Finds long phrases over the border of two chunks as well: a chunk that goes on ends with a mark of it, so that the beginning of
 * a phrase and then the mark is looked for beside the phrase. Shorter ones are whole in one of the two, which overlap.
 *
 * @param tsquery - Text form of a parsed query; so is what is answered.
 */
export function spanBorders(tsquery: string): string {
  if (tsquery.length <= SHORTEST) return tsquery;
  return tsquery.replaceAll(PHRASE, (phrase) => {
    const endings = listEndings(phrase);
    return endings === undefined ? phrase : `( ${phrase} | ${endings.head} <-> ( ${endings.tails.join(' | ')} ) )`;
  });
}

interface Endings {
  /** What every part before a border begins with. */
  readonly head: string;
  /** What may follow it before the border, with the mark. */
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
    // A word that the parser left out between two keeps them apart: the mark cannot stand there.
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
