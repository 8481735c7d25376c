/**
 * Constants of the keyword ranking, in one place.
 *
 * A chunk scores the sum over the query's words of idf(word) x ts_rank(tsv, word, 1): ts_rank alone knows no corpus, so
 * that a word of every chunk weighs as much as the one that tells chunks apart. Measured on Cranfield (nDCG@10): words
 * joined by OR 0.240 with ts_rank, 0.368 with idf; a true BM25 reaches 0.370.
 * A session is as good as its best chunk, plus a damped tail: ranking sessions by their best message instead of their sum
 * keeps long sessions from winning by length (published on LongMemEval: recall@1 61.7 -> 71.7).
 */
export const RANKING = {
  secondChunkWeight: 0.3,
  thirdChunkWeight: 0.1,
  /** A match in a title or summary says what the session is about: worth a middling word of its own. */
  titleBonus: 0.1,
} as const;

/** Newest chunks looked at to learn how common the words are; an account with fewer is searched whole by them. */
export const SAMPLE_ROWS = 500;
/** Up to so many matches are all ranked and counted; ranking costs about 2 microseconds a row and word (25 when cold). */
export const MAX_EXACT_MATCHES = 1000;
/** Of a more common word the newest matches are ranked: what makes it common makes it weigh little. */
export const MAX_RANKED_MATCHES = 500;
/** Chunks of one session that are ranked when a word is common, so that one long session cannot fill the candidates. */
export const MAX_RANKED_PER_SESSION = 20;
/** Rows walked at most for a common word. */
export const MAX_WALKED_ROWS = 20_000;
/** Rows of a second walk, when one session filled the first: 10 milliseconds more for other sessions to show. */
export const LONG_WALK_ROWS = 6000;
/** Words with a weight of their own; a longer query is ranked as a whole. */
export const MAX_WEIGHTED_TERMS = 16;
/** A word in so large a share of the sample finds nothing when words are joined by OR: it ranks, but does not select. */
export const STOP_WORD_SHARE = 0.2;

/** What the newest chunks of an account say about a query. */
export interface Sample {
  /** Rows looked at; fewer than SAMPLE_ROWS when there are no more. */
  readonly rows: number;
  /** Of these, rows that match the whole query and its filters. */
  readonly matches: number;
  /** Of these, rows with each of the query's words. */
  readonly documentFrequencies: readonly number[];
}

/** Inverse document frequency as in BM25, from the sample: a word it does not hold is as rare as can be told. */
export function computeIdf(sample: Sample): number[] {
  // One word ranks the same whatever it weighs.
  if (sample.documentFrequencies.length === 1) return [1];
  return sample.documentFrequencies.map((frequency) =>
    Math.log(1 + (sample.rows - frequency + 0.5) / (frequency + 0.5)),
  );
}
