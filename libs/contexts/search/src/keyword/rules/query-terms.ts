/**
 * Returns the distinct words of a parsed query, each in the quoted form used in a tsquery. Reads the string form of
 * `querytree`, which omits excluded words.
 */
export function listQueryTerms(queryTree: string): string[] {
  return [...new Set(queryTree.match(/'(?:[^']|'')*'/g) ?? [])];
}

/**
 * Returns the word without its quotes, and with single instead of doubled quotes and backslashes. A query in
 * parentheses is returned unchanged.
 */
export function unquoteTerm(term: string): string {
  if (!term.startsWith("'")) return term;
  return term.slice(1, -1).replaceAll("''", "'").replaceAll('\\\\', '\\');
}
