/** How the words of a query combine. */
export type QueryStrictness = 'strict' | 'any_word';

/** True for plain words: no quotes, no exclusion, no `or`. Only these may be relaxed to "any word". */
export function isPlainQuery(query: string): boolean {
  return !/["“”]|(?:^|\s)-\S|(?:^|\s)or(?:\s|$)/i.test(query);
}

export interface ParsedQuery {
  /** Text form, as `::tsquery` reads it. */
  readonly tsquery: string;
  /** Words asked for, in their quoted form, each once. */
  readonly terms: readonly string[];
}

/** Words of lower-case ASCII letters are the same in every locale and to every text parser. */
const SIMPLE_QUERY = /^[a-z]+(?: [a-z]+)*$/;

/** Reads the commonest kind of query, letters a to z and blanks, which takes no parser. Undefined for all others. */
export function readSimpleQuery(query: string, anyWord: boolean): ParsedQuery | undefined {
  if (!SIMPLE_QUERY.test(query) || !isPlainQuery(query)) return undefined;
  const terms = query.split(' ').map((word) => `'${word}'`);
  return { tsquery: terms.join(anyWord ? ' | ' : ' & '), terms: [...new Set(terms)] };
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
