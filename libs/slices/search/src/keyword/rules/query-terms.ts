/**
 * The words a parsed query asks for, each in the quoted form of a tsquery, without repetition. Reads the text form of
 * `querytree`, which leaves excluded words out.
 */
export function listQueryTerms(queryTree: string): string[] {
  return [...new Set(queryTree.match(/'(?:[^']|'')*'/g) ?? [])];
}

/** A quoted word of a tsquery as plain text: quotes and backslashes are doubled in it. A query in brackets stays as it is. */
export function unquoteTerm(term: string): string {
  if (!term.startsWith("'")) return term;
  return term.slice(1, -1).replaceAll("''", "'").replaceAll('\\\\', '\\');
}
