export interface Meaning {
  /** What the query says, for the model: without operators and what it excludes. */
  readonly text: string;
  /** What no match may hold, in web-search syntax; undefined when nothing is excluded. */
  readonly excluded: string | undefined;
}

const PARTS = /(-?)"([^"]*)"?|(\S+)/g;

/**
 * Reads a query for a model of meanings, to which `-`, quotes and `or` are noise: a word that is excluded would even draw the
 * query towards itself. Undefined for a query that says nothing but what it excludes.
 */
export function readMeaning(query: string): Meaning | undefined {
  const said: string[] = [];
  const excluded: string[] = [];
  for (const [, minus, phrase, word = ''] of query.matchAll(PARTS)) {
    if (phrase !== undefined) (minus === '-' ? excluded : said).push(phrase);
    else if (/^-+[^-]/.test(word)) excluded.push(word.replace(/^-+/, ''));
    else if (!/^or$/i.test(word)) said.push(word);
  }
  const text = said.join(' ').replaceAll('"', ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  const phrases = excluded.map((part) => `"${part.replaceAll('"', ' ').trim()}"`).filter((part) => part !== '""');
  return { text, excluded: phrases.length === 0 ? undefined : phrases.join(' or ') };
}
