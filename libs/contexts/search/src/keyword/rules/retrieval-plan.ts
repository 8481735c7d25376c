import {
  MAX_EXACT_MATCHES,
  MAX_RANKED_MATCHES,
  MAX_WALKED_ROWS,
  PAGE_MATCHES,
  SAMPLE_ROWS,
  type Sample,
} from './ranking.ts';

/** The method by which the candidates of a query are found. */
export type RetrievalPlan =
  /**
   * Reads all rows of a small account, time range, session, agent or flow; the result is exact, and the text index is
   * not used.
   */
  | { readonly arm: 'all' }
  /** Reads this number of the newest rows, of which enough are expected to match. */
  | { readonly arm: 'walk'; readonly rows: number }
  /** Finds all matches with the text index; if there are many, only the newest ones are ranked. */
  | { readonly arm: 'index' };

/** Minimum number of matches in the sample that suffices to estimate how common the query is. */
const TELLING_MATCHES = 3;
/** Maximum error factor of the planner's row estimate. */
export const ESTIMATE_ERROR = 2;
/** Factor by which a walk may read more rows than expected. */
const SLACK = 1.25;
/** Limits of the factor by which a walk is extended, since a few matches say little about their total number. */
const GROWTH = { least: 2, most: 10 } as const;
/** Minimum number of rows of a walk (1 ms): fewer rows might all belong to a few sessions. */
const MIN_WALKED_ROWS = 1000;
/** Number of rows up to which a walk is so cheap that no alternative is considered. */
const SHORT_WALK_ROWS = 1500;
/**
 * Number of rows up to which a walk continues until it has the maximum number of ranked matches; a longer walk stops
 * when the page is full.
 */
const USUAL_WALK_ROWS = 2000;
/**
 * Costs in microseconds, measured on accounts of 100,000 chunks with a new query each time: per row of a walk, per row
 * of the account whose entry in the text index is skipped, and per row that the index returns, which is on a separate
 * database page.
 */
const COST_US = { walked: 1, passed: 0.005, yielded: 15 } as const;
/**
 * Cost of the text index above which the newest rows are read first: in a large account, the index returns many rows
 * even for a word that is rare in the sample.
 */
const DEAR_INDEX_US = 30_000;

/** Returns true if the choice of the plan depends on the cost of the text index. */
export function needsIndexCost(sample: Sample, pageMatches = PAGE_MATCHES): boolean {
  return sample.rows >= SAMPLE_ROWS && sample.yielded > 0 && rowsToWalk(sample, pageMatches) > SHORT_WALK_ROWS;
}

/**
 * Chooses a bounded method: all rows of a small part of an account are read; otherwise, the cheaper of a walk and the
 * text index is used, or first a short walk if both are expensive. The database's planner could choose an unbounded
 * method: for a word that does not exist, it walks the time index through millions of rows. If a fraction `share` of
 * the rows matches, a walk for `wanted` matches reads about `wanted / share` rows, and the text index returns about
 * `share x rows`.
 *
 * @param indexCost - from `estimateIndexCost`; needed if `needsIndexCost` returns true
 * @param pageMatches - matches that fill the requested page and those before it
 */
export function planRetrieval(sample: Sample, indexCost: number, pageMatches = PAGE_MATCHES): RetrievalPlan {
  if (sample.rows < SAMPLE_ROWS) return { arm: 'all' };
  if (sample.yielded === 0) return { arm: 'index' };
  const walked = rowsToWalk(sample, pageMatches);
  if (walked <= SHORT_WALK_ROWS) return { arm: 'walk', rows: walked };
  if (walked <= MAX_WALKED_ROWS && walked * COST_US.walked < indexCost) return { arm: 'walk', rows: walked };
  return indexCost > DEAR_INDEX_US ? { arm: 'walk', rows: USUAL_WALK_ROWS } : { arm: 'index' };
}

/**
 * Returns the microseconds needed to read the rows that the text index returns.
 * @param rows - number of rows of the account, according to the planner's statistics
 */
export function estimateIndexCost({ rows: sampled, yielded }: Sample, rows: number): number {
  return rows * (COST_US.passed + (yielded / sampled) * COST_US.yielded);
}

/**
 * Returns the next plan after a walk that did not fill a page: a walk as long as the share of matches suggests, or the
 * text index if that is cheaper. Returns undefined if the walk found as many matches as can be ranked: a longer walk
 * would find the same newest matches.
 *
 * @param found.matches - number of chunks that the walk found
 * @param found.indexCost - from `estimateIndexCost`
 */
export function widenPlan(
  plan: RetrievalPlan,
  found: { readonly matches: number; readonly indexCost: number; readonly pageMatches: number },
): RetrievalPlan | undefined {
  if (plan.arm !== 'walk') return undefined;
  const { matches, indexCost, pageMatches } = found;
  if (matches >= MAX_RANKED_MATCHES) return undefined;
  const growth = Math.min(GROWTH.most, Math.max(GROWTH.least, (pageMatches * SLACK) / matches));
  const needed = Math.ceil(plan.rows * growth);
  const isIndexCheaper = needed > MAX_WALKED_ROWS || needed * COST_US.walked >= indexCost;
  return isIndexCheaper ? { arm: 'index' } : { arm: 'walk', rows: needed };
}

/**
 * Returns the plan for searching a part of an account by the rarest of several words joined by OR. The text index
 * returns the rows that contain these words in the whole account. If reading these rows is more expensive than reading
 * all rows of the part, and the part is not too large for a walk, all rows of the part are read instead.
 *
 * @param rows - numbers of rows according to the planner's statistics
 */
export function planSelective(
  sample: Sample,
  { selective, terms }: { readonly selective: readonly string[]; readonly terms: readonly string[] },
  rows: { readonly ofPart: number; readonly ofAccount: number },
): RetrievalPlan {
  const yielded = selective.reduce((sum, term) => sum + (sample.documentFrequencies[terms.indexOf(term)] ?? 0), 0);
  const indexCost = estimateIndexCost({ ...sample, yielded }, rows.ofAccount);
  const isWithinReach = rows.ofPart * ESTIMATE_ERROR <= MAX_WALKED_ROWS;
  return isWithinReach && rows.ofPart * COST_US.walked < indexCost ? { arm: 'all' } : { arm: 'index' };
}

/** Returns the number of rows up to which reading everything is preferred to this plan. */
export function countRowsInReach(plan: RetrievalPlan, indexCost: number): number {
  if (plan.arm === 'walk') return plan.rows;
  return Math.min(MAX_WALKED_ROWS, Math.floor(indexCost / COST_US.walked));
}

/** Returns the number of matches expected to contain this number of sessions: some sessions have several matches. */
export function countPageMatches(sessions: number): number {
  return Math.max(PAGE_MATCHES, Math.ceil(sessions * 1.5));
}

function rowsToWalk({ rows, matches }: Sample, pageMatches: number): number {
  if (matches < TELLING_MATCHES) return Number.POSITIVE_INFINITY;
  const rowsFor = (wanted: number): number => Math.ceil((wanted * SLACK * rows) / matches);
  const most = Math.max(USUAL_WALK_ROWS, rowsFor(pageMatches));
  return Math.min(most, Math.max(MIN_WALKED_ROWS, rowsFor(MAX_RANKED_MATCHES)));
}

/**
 * Chooses, from words joined by OR, the rarest ones, as long as all of their matches can be ranked; none if all words
 * are common. The other words still count for the ranking. Without this choice, the common words of a question would
 * match everything, and only the newest matches would be ranked (Cranfield, nDCG@10: 0.20 instead of 0.30).
 */
export function chooseSelectiveTerms(terms: readonly string[], sample: Sample, rows: number): readonly string[] {
  const byRarity = terms
    .map((term, index) => ({ term, matches: ((sample.documentFrequencies[index] ?? 0) / sample.rows) * rows }))
    .sort((a, b) => a.matches - b.matches);
  let matches = 0;
  return byRarity
    .filter((each) => {
      matches += each.matches;
      return matches <= MAX_EXACT_MATCHES;
    })
    .map((each) => each.term);
}
