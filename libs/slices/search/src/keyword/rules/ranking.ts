/**
 * Constants of the keyword ranking, in one place.
 *
 * A chunk scores the sum over the query's words of idf(word) x a share of 1 that grows with how often the chunk holds it, the
 * slower the longer the chunk is: as in BM25, of which ts_rank alone has neither. Measured on Cranfield, words joined by OR
 * (nDCG@10): ts_rank over whole documents 0.240, ts_rank by the logarithm of the length 0.330, this 0.346, and 0.360 of the questions
 * without the word "or", an operator. A session is as good as its best chunk; more matching chunks add little, or long sessions would win
 * by their length. `npm run bench -- relevance` prints these figures.
 */
export const RANKING = {
  secondChunkWeight: 0.05,
  thirdChunkWeight: 0.02,
  /** A match in a title or summary says what the session is about: worth a little more. */
  titleBonus: 0.1,
  /** A part of a word, where the word itself weighs 0.1: what stands there as it was asked for comes first. */
  derivedWeight: 0.05,
  /** How many times a chunk of middling length holds a word of which half is given; how much of that its length decides. */
  saturation: 3,
  lengthShare: 0.75,
  /** Bytes of a chunk of middling length. */
  middlingBytes: 800,
} as const;

/** Newest chunks looked at to learn how common the words are; an account with fewer is searched whole by them. */
export const SAMPLE_ROWS = 500;
/** Up to so many matches are all ranked and counted; ranking costs about 3 microseconds a row and word (25 when cold). */
export const MAX_EXACT_MATCHES = 1000;
/** Of a more common word the newest matches are ranked: what makes it common makes it weigh little. */
export const MAX_RANKED_MATCHES = 300;
/** As many fill a page of the usual size; where more would take a long walk they are enough. */
export const PAGE_MATCHES = 30;
/**
 * Chunks of one session that are ranked when a word is common, or as many as are shown of it: one long session cannot fill
 * the candidates, and these are of 60 sessions at least, more than the longest page.
 */
export const MAX_RANKED_PER_SESSION = 5;
/** Rows of the longest walk (0.1 s), where the text index would take longer: for a phrase of common words in a large account. */
export const MAX_WALKED_ROWS = 100_000;
/** Words that are ranked by, the rarest of a longer query. */
const MAX_WEIGHTED_TERMS = 16;
/** What the newest chunks of an account say about a query. */
export interface Sample {
  /** Rows looked at; fewer than SAMPLE_ROWS when there are no more. */
  readonly rows: number;
  /** Of these, rows that match the whole query and its filters. */
  readonly matches: number;
  /** Of these, rows the text index yields, which are read to see whether they match. */
  readonly yielded: number;
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

export interface WeightedTerm {
  /** Quoted form of a tsquery. */
  readonly term: string;
  readonly idf: number;
}

/** The rarest words carry the ranking; the many common ones of a long question would add time and little else. */
export function weighTerms(terms: readonly string[], idf: readonly number[]): WeightedTerm[] {
  const weighted = terms.map((term, index) => ({ term, idf: idf[index] ?? 1 }));
  if (weighted.length <= MAX_WEIGHTED_TERMS) return weighted;
  return weighted.sort((a, b) => b.idf - a.idf).slice(0, MAX_WEIGHTED_TERMS);
}
