import { readQuery } from '../../keyword/rules/read-query.ts';

export interface Meaning {
  /** What the query says, for the model: without operators and what it excludes. */
  readonly text: string;
  /** What no match may hold, in web-search syntax; undefined when nothing is excluded. */
  readonly excluded: string | undefined;
}

/**
 * Reads a query for a model of meanings, to which `-`, quotes and `or` are noise: a word that is excluded would even draw the
 * query towards itself. Undefined for a query that says nothing but what it excludes.
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
