export interface SearchExpectation {
  readonly what: string;
  readonly query: string;
  /** True if the imported session must be found, with a number of chunks within the limits below. */
  readonly finds: boolean;
  readonly minChunks?: number;
  readonly maxChunks?: number;
}

/**
 * Searches for words that the transcript contains, and for words that it does not contain, checked against the file
 * when it was recorded.
 */
export const SEARCHES: readonly SearchExpectation[] = [
  { what: 'a phrase', query: '"quoted field is never closed"', finds: true, minChunks: 3 },
  { what: 'a rare phrase', query: '"zero-length delimited identifier"', finds: true, maxChunks: 3 },
  { what: 'an error code', query: 'ERR_MODULE_NOT_FOUND', finds: true },
  { what: 'with an exclusion', query: '"back pressure" -EPIPE', finds: true, maxChunks: 4 },
  { what: 'either word', query: 'Brötchen or 山田太郎', finds: true, minChunks: 8 },
  { what: 'the same words as a phrase that does not occur', query: '"pressure back"', finds: false },
  { what: 'a word that does not occur', query: 'hippopotamus', finds: false },
];
