import { readQuery } from './read-query.ts';

/** Ways in which the words of a query are combined. */
export type QueryStrictness = 'strict' | 'any_word';

/**
 * Returns whether a query has only plain words: no quotes, no exclusion, no `or`. Only such queries may be relaxed to
 * "any word".
 */
export function isPlainQuery(query: string): boolean {
  if (/["“”]/.test(query)) return false;
  const { items, hasOr } = readQuery(query);
  return !hasOr && !items.some(({ isExcluded }) => isExcluded);
}

export interface ParsedQuery {
  /** The query in the string form that `::tsquery` reads. */
  readonly tsquery: string;
  /**
   * Distinct searched words in quoted form; for a compound word, all of its forms as a query in parentheses, or each
   * form separately if the words are joined by OR.
   */
  readonly terms: readonly string[];
  /** Words to mark in texts, if they are not the same as the terms. */
  readonly shown?: readonly string[];
}

/** Pattern for words of lower-case ASCII letters: their parsed form is the same with every locale and text parser. */
const WORDS = '[a-z]+(?: [a-z]+)*';
const PLAIN_WORDS = new RegExp(`^${WORDS}$`);
/** Matches a word or a phrase, included or excluded, with the following blank. */
const ITEM = new RegExp(`(-?)(?:([a-z]+)|"(${WORDS})")(?: (?=\\S)|$)`, 'y');

/**
 * Parses the most common kinds of queries without a round trip to the database's parser: words of the letters a to z in
 * lower case, phrases of such words, exclusions, and `or` between them. Returns undefined for all others.
 */
export function readSimpleQuery(query: string, anyWord: boolean): ParsedQuery | undefined {
  if (!anyWord) return readItems(query);
  if (!PLAIN_WORDS.test(query) || !isPlainQuery(query)) return undefined;
  const terms = query.split(' ').map(quote);
  return { tsquery: terms.join(' | '), terms: [...new Set(terms)] };
}

interface Item {
  readonly isExcluded: boolean;
  /** Words of the item; several words form a phrase. */
  readonly words: readonly string[];
}

function readItems(query: string): ParsedQuery | undefined {
  const groups = splitAtOr(query);
  // A query with an alternative that has only exclusions, or with a misplaced `or`, is left to the parser.
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

/** Returns the query for display and for comparison with identifiers, with white space collapsed. */
export function normaliseQuery(query: string): string {
  return query.trim().replaceAll(/\s+/g, ' ');
}

/** Matches `scheme://rest`, included or excluded, between blanks. */
const ADDRESS = /(?<=^-?|\s-?)[a-z][a-z0-9+.-]*:\/\/[^\s"]+(?=\s|$)/giu;

/**
 * Adds quotes around addresses. Without quotes, the parser of web-search queries treats the colon as an operator and
 * searches the word "https", which is not indexed as a part of an address, so an address copied from a text would never
 * be found.
 */
export function quoteAddresses(query: string): string {
  return query
    .split(/("[^"]*"?)/)
    .map((part) => (part.startsWith('"') ? part : part.replaceAll(ADDRESS, '"$&"')))
    .join('');
}
