/**
 * Constants of the keyword ranking, in one place.
 *
 * The score of a chunk is the sum over the query's words of idf(word) x a share of at most 1. As in BM25, the share
 * grows with the number of occurrences in the chunk, but more slowly in longer chunks; ts_rank considers neither how
 * common a word is nor, by default, how long the chunk is. On Cranfield with words joined by OR, nDCG@10 was 0.240 for
 * ts_rank over whole documents, 0.330 for ts_rank divided by the logarithm of the length, and 0.346 for this ranking
 * (0.360 for the questions without the word "or", which is an operator). The score of a session is that of its best
 * chunk; further matching chunks add little, since otherwise long sessions would always rank first.
 * `npm run bench -- relevance` measures the current ranking.
 */
export const RANKING = {
  secondChunkWeight: 0.05,
  thirdChunkWeight: 0.02,
  /** Weight added for a match in a title or summary, since these state the subject of the session. */
  titleBonus: 0.1,
  /** Weight of a part of a word, compared with 0.1 for the word itself, so that exact matches come first. */
  derivedWeight: 0.05,
  /**
   * `saturation` is the number of occurrences at which a chunk of medium length gets half of the maximum share;
   * `lengthShare` is the fraction of this number that depends on the length.
   */
  saturation: 3,
  lengthShare: 0.75,
  /** Bytes of a chunk of medium length. */
  middlingBytes: 800,
} as const;

/**
 * Number of newest chunks that are read to determine how common the words are; a smaller account is read completely.
 */
export const SAMPLE_ROWS = 500;
/**
 * Number of matches up to which all are ranked and counted; ranking takes about 3 microseconds per row and word (25 if
 * uncached).
 */
export const MAX_EXACT_MATCHES = 1000;
/** Number of newest matches that are ranked for more common words, whose weight is low. */
export const MAX_RANKED_MATCHES = 300;
/**
 * Number of matches that fill a page of the usual size; this number is sufficient if finding more would require a long
 * walk.
 */
export const PAGE_MATCHES = 30;
/**
 * Maximum number of chunks of one session that are ranked for a common word, unless more are shown per session: one
 * long session cannot use up the candidates. With this maximum, the `MAX_RANKED_MATCHES` candidates come from at least
 * 60 sessions, which is more than the longest page contains.
 */
export const MAX_RANKED_PER_SESSION = 5;
/**
 * Maximum number of rows of a walk (0.1 s). A walk is used where the text index would take longer: for a phrase of
 * common words in a large account.
 */
export const MAX_WALKED_ROWS = 100_000;
/** Maximum number of words used for ranking; if a query has more, the rarest ones are used. */
const MAX_WEIGHTED_TERMS = 16;
/** Statistics of a query in the newest chunks of an account. */
export interface Sample {
  /** Number of rows read; less than SAMPLE_ROWS if the searched part of the account has no more. */
  readonly rows: number;
  /** Number of these rows that match the whole query and its filters. */
  readonly matches: number;
  /** Number of these rows that the text index would return; each of them has to be read to check whether it matches. */
  readonly yielded: number;
  /** Number of these rows that contain a word, for each word of the query. */
  readonly documentFrequencies: readonly number[];
}

/**
 * Returns the inverse document frequency as in BM25, computed from the sample: a word that does not occur in it gets
 * the maximum.
 */
export function computeIdf(sample: Sample): number[] {
  // The weight of a single word does not affect the order.
  if (sample.documentFrequencies.length === 1) return [1];
  return sample.documentFrequencies.map((frequency) =>
    Math.log(1 + (sample.rows - frequency + 0.5) / (frequency + 0.5)),
  );
}

export interface WeightedTerm {
  /** The word in the quoted form of a tsquery. */
  readonly term: string;
  readonly idf: number;
}

/**
 * Returns the words with their weights; of a long query, only the rarest ones, since the many common words would take
 * time and hardly improve the ranking.
 */
export function weighTerms(terms: readonly string[], idf: readonly number[]): WeightedTerm[] {
  const weighted = terms.map((term, index) => ({ term, idf: idf[index] ?? 1 }));
  if (weighted.length <= MAX_WEIGHTED_TERMS) return weighted;
  return weighted.sort((a, b) => b.idf - a.idf).slice(0, MAX_WEIGHTED_TERMS);
}
