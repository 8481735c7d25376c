import { readQuery } from './read-query.ts';

/** How the words of a query are combined. */
export type QueryStrictness = 'strict' | 'any_word';

/** True for plain words: no quotes, no exclusion, no `or`. Only these may be relaxed to "any word". */
export function isPlainQuery(query: string): boolean {
  if (/["“”]/.test(query)) return false;
  const { items, hasOr } = readQuery(query);
  return !hasOr && !items.some(({ isExcluded }) => isExcluded);
}

export interface ParsedQuery {
  /** Text form, as read by `::tsquery`. */
  readonly tsquery: string;
  /** Distinct searched words, in their quoted form; for a compound word all of its forms, as a query in brackets. */
  readonly terms: readonly string[];
  /** Words to mark in texts, if they differ from the terms. */
  readonly shown?: readonly string[];
}

/** Words of lower-case ASCII letters are the same in every locale and for every text parser. */
const WORDS = '[a-z]+(?: [a-z]+)*';
const PLAIN_WORDS = new RegExp(`^${WORDS}$`);
/** A word or a phrase, searched or excluded, with the following blank. */
const ITEM = new RegExp(`(-?)(?:([a-z]+)|"(${WORDS})")(?: (?=\\S)|$)`, 'y');

/**
 * Parses the most common kinds of query without a round trip to the parser: lower-case words of the letters a to z,
 * phrases of such words, exclusions, and `or` between them. Undefined for all others.
 */
export function readSimpleQuery(query: string, anyWord: boolean): ParsedQuery | undefined {
  if (!anyWord) return readItems(query);
  if (!PLAIN_WORDS.test(query) || !isPlainQuery(query)) return undefined;
  const terms = query.split(' ').map(quote);
  return { tsquery: terms.join(' | '), terms: [...new Set(terms)] };
}

interface Item {
  readonly isExcluded: boolean;
  /** Several words form a phrase. */
  readonly words: readonly string[];
}

function readItems(query: string): ParsedQuery | undefined {
  const groups = splitAtOr(query);
  // A query with only exclusions, or a misplaced `or`, is left to the parser.
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

/** The query for display and for comparison with identifiers: white space collapsed. */
export function normaliseQuery(query: string): string {
  return query.trim().replaceAll(/\s+/g, ' ');
}

/** `scheme://rest`, plain or excluded, as one part between blanks. */
const ADDRESS = /(?<=^-?|\s-?)[a-z][a-z0-9+.-]*:\/\/[^\s"]+(?=\s|$)/giu;

/**
 * Puts quotes around addresses. The parser of web-search queries treats the colon of an unquoted one as an operator and
 * searches the word "https", which no text contains: an address copied from a text would never be found.
 */
export function quoteAddresses(query: string): string {
  return query
    .split(/("[^"]*"?)/)
    .map((part) => (part.startsWith('"') ? part : part.replaceAll(ADDRESS, '"$&"')))
    .join('');
}
