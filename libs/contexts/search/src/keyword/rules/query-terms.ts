/**
 * Distinct words of a parsed query, each in the quoted form used in a tsquery. Reads the text form of `querytree`,
 * which omits excluded words.
 */
export function listQueryTerms(queryTree: string): string[] {
  return [...new Set(queryTree.match(/'(?:[^']|'')*'/g) ?? [])];
}

/** Unquotes a word of a tsquery: quotes and backslashes are doubled in it. A query in brackets stays unchanged. */
export function unquoteTerm(term: string): string {
  if (!term.startsWith("'")) return term;
  return term.slice(1, -1).replaceAll("''", "'").replaceAll('\\\\', '\\');
}
