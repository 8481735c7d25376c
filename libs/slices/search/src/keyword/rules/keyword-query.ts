import { readQuery } from './read-query.ts';

/** How the words of a query combine. */
export type QueryStrictness = 'strict' | 'any_word';

/** True for plain words: no quotes, no exclusion, no `or`. Only these may be relaxed to "any word". */
export function isPlainQuery(query: string): boolean {
  if (/["“”]/.test(query)) return false;
  const { items, hasOr } = readQuery(query);
  return !hasOr && !items.some(({ isExcluded }) => isExcluded);
}

export interface ParsedQuery {
  /** Text form, as `::tsquery` reads it. */
  readonly tsquery: string;
  /** Words asked for, in their quoted form, each once; of a word that is made of parts all of its forms, as a query in brackets. */
  readonly terms: readonly string[];
  /** What is marked in texts, where that is not the words. */
  readonly shown?: readonly string[];
}

/** Words of lower-case ASCII letters are the same in every locale and to every text parser. */
const WORDS = '[a-z]+(?: [a-z]+)*';
const PLAIN_WORDS = new RegExp(`^${WORDS}$`);
/** A word or a phrase, asked for or excluded, with the blank behind it. */
const ITEM = new RegExp(`(-?)(?:([a-z]+)|"(${WORDS})")(?: (?=\\S)|$)`, 'y');

/**
 * Reads the commonest kinds of query, which take no round trip to the parser: lower-case words of the letters a to z, phrases
 * of them, exclusions and `or` between them. Undefined for all others.
 */
export function readSimpleQuery(query: string, anyWord: boolean): ParsedQuery | undefined {
  if (!anyWord) return readItems(query);
  if (!PLAIN_WORDS.test(query) || !isPlainQuery(query)) return undefined;
  const terms = query.split(' ').map(quote);
  return { tsquery: terms.join(' | '), terms: [...new Set(terms)] };
}

interface Item {
  readonly isExcluded: boolean;
  /** Several are a phrase. */
  readonly words: readonly string[];
}

function readItems(query: string): ParsedQuery | undefined {
  const groups = splitAtOr(query);
  // What only excludes is for the parser to judge, and an `or` that stands between nothing.
  if (groups?.every((group) => group.some(({ isExcluded }) => !isExcluded)) !== true) return undefined;
  const asked = groups.flat().filter(({ isExcluded }) => !isExcluded);
  return {
    tsquery: groups.map((group) => group.map(writeItem).join(' & ')).join(' | '),
    terms: [...new Set(asked.flatMap(({ words }) => words))],
  };
}

function splitAtOr(query: string): Item[][] | undefined {
  let group: Item[] = [];
  const groups = [group];
  for (let at = 0; at < query.length; at = ITEM.lastIndex) {
    ITEM.lastIndex = at;
    const [found, minus, word, phrase = ''] = ITEM.exec(query) ?? [];
    if (found === undefined) return undefined;
    if (word === 'or' && minus === '') groups.push((group = []));
    else group.push({ isExcluded: minus === '-', words: (word ?? phrase).split(' ').map(quote) });
  }
  return groups;
}

function writeItem({ isExcluded, words }: Item): string {
  const text = words.join(' <-> ');
  if (!isExcluded) return text;
  return words.length > 1 ? `!( ${text} )` : `!${text}`;
}

function quote(word: string): string {
  return `'${word}'`;
}

/** The query as it is shown and compared with identifiers: white space collapsed. */
export function normaliseQuery(query: string): string {
  return query.trim().replaceAll(/\s+/g, ' ');
}

/** `scheme://rest`, bare or excluded, as one part between blanks. */
const ADDRESS = /(?<=^-?|\s-?)[a-z][a-z0-9+.-]*:\/\/[^\s"]+(?=\s|$)/giu;

/**
 * Puts addresses outside of quotes into quotes. The parser of web-search queries takes the colon of a bare one for a sign
 * and asks for the word "https", which no text holds: an address pasted from a text would never be found.
 */
export function quoteAddresses(query: string): string {
  return query
    .split(/("[^"]*"?)/)
    .map((part) => (part.startsWith('"') ? part : part.replaceAll(ADDRESS, '"$&"')))
    .join('');
}
