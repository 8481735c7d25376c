/** How the words of a query combine. */
export type QueryStrictness = 'strict' | 'any_word';

/** True for plain words: no quotes, no exclusion, no `or`. Only these may be relaxed to "any word". */
export function isPlainQuery(query: string): boolean {
  return !/["“”]|(?:^|\s)-\S|(?:^|\s)or(?:\s|$)/i.test(query);
}

/** The query as it is compared and logged: white space collapsed, case folded. */
export function normaliseQuery(query: string): string {
  return query.trim().replaceAll(/\s+/g, ' ');
}
