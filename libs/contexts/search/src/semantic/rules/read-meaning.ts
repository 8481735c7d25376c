import { readQuery } from '../../keyword/rules/read-query.ts';

export interface Meaning {
  /** Text of the query for the model, without operators and exclusions. */
  readonly text: string;
  /** Excluded words, in web-search syntax; undefined if there are none. */
  readonly excluded: string | undefined;
}

/**
 * Converts a query for an embedding model, to which `-`, quotes and `or` mean nothing: an excluded word would even
 * increase the similarity to texts that contain it. Returns undefined for a query without letters and digits outside
 * its exclusions.
 */
export function readMeaning(query: string): Meaning | undefined {
  const { items } = readQuery(query);
  const said = items
    .filter(({ isExcluded }) => !isExcluded)
    .map((item) => (item.isPrefix ? item.text.replace(/\*$/, '') : item.text).trim());
  const text = said.filter((part) => part !== '').join(' ');
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  const excluded = items.filter((item) => item.isExcluded && item.text.trim() !== '');
  const phrases = excluded.map((item) => (item.isPrefix ? item.text : `"${item.text.trim()}"`));
  return { text, excluded: phrases.length === 0 ? undefined : phrases.join(' or ') };
}
