/** Maximum number of dimensions that an index supports. */
export const WIDEST = 4000;

/**
 * Size up to which a space is always scanned exactly, in vectors times dimensions: 10,000 vectors of 384 dimensions
 * take 8 ms (0.8 microseconds each, all in memory). A larger space is moved to its own table, which has an index.
 */
const EXACT_DIMENSIONS = 4_000_000;
/** Minimum number of dimensions in this calculation: with fewer, reading the rows takes most of the time. */
const LEAST_COUNTED_WIDTH = 256;

/** Returns the number of vectors with `width` dimensions up to which a space is scanned exactly. */
export function countExactVectors(width: number): number {
  return Math.floor(EXACT_DIMENSIONS / Math.max(width, LEAST_COUNTED_WIDTH));
}

/**
 * Parameters of a space's index. With 75,000 clustered vectors, some queries end in the wrong cluster and miss all ten
 * results: 6 to 10 of 200 queries with 64 candidates (and 100 during the search), 1 to 3 of 200 queries with 128
 * candidates (and 200 during the search), depending on the graph that the build creates. A larger number of links
 * improved recall less.
 */
export const VECTOR_INDEX = { links: 16, candidates: 128 } as const;

const FEWEST_CANDIDATES = 200;
const MOST_CANDIDATES = 400;

/**
 * Returns the number of candidates that the index keeps while it searches for `limit` rows; if `limit` exceeds the
 * maximum, the index scan is resumed for the remaining rows.
 */
export function countCandidates(limit: number): number {
  return Math.min(MOST_CANDIDATES, Math.max(FEWEST_CANDIDATES, limit));
}

/**
 * Minimum number of rows requested from the index if there is a filter: the vectors that pass the filter may be far
 * from the query, and the first ten that the index finds are not always the nearest ten (recall for the vectors of one
 * agent: 0.85 with ten requested rows, 1.00 with more).
 */
const LEAST_FILTERED = 200;

/** Returns the number of rows requested from the index if there is a filter. */
export function countFiltered(limit: number): number {
  return Math.max(LEAST_FILTERED, limit);
}

/**
 * Cost of one row from the index (9.5 microseconds) relative to a row of an exact scan (1.2 microseconds, with each row
 * on a separate page).
 */
const INDEXED_ROW_COST = 8;
const LEAST_TUPLES = 3000;

export interface ScanPlan {
  /** Maximum number of rows passing a filter for which an exact scan is used. */
  readonly exactRows: number;
  /**
   * Number of rows after which the index scan stops. If the scan reaches this number, fewer rows near the query pass
   * the filter than expected, so an exact scan is faster.
   */
  readonly mostTuples: number;
  /**
   * Maximum number of chunks read to find further sessions if a few long sessions fill the first scan; a space with at
   * most this number of chunks is compared completely.
   */
  readonly mostChunks: number;
}

/** Maximum number of chunks read near a query, from any sessions; an index scan reads this number in 75 ms. */
const MOST_CHUNKS = 8000;
/**
 * Number of chunks that a second scan reads per session, as a multiple of the average in the first scan: with too few
 * chunks, a third scan would be needed, which would be more expensive.
 */
const MORE_THAN_SEEN = 2;

/**
 * Returns the number of chunks to read in order to find `sessions` sessions, if the first `looked` chunks belonged to
 * `found` sessions.
 */
export function countWider(seen: {
  readonly looked: number;
  readonly found: number;
  readonly sessions: number;
}): number {
  const { looked, found, sessions } = seen;
  return Math.ceil((MORE_THAN_SEEN * looked * sessions) / Math.max(1, found));
}

/**
 * Returns the limits of a scan. An exact scan reads all rows that pass a filter; an index scan reads `limit` divided by
 * the share of rows that pass. Both scans cost the same if the number of rows that pass is the square root of limit x
 * rows x cost. For a million vectors and a limit of 200, this number is 40,000, and either scan takes 50 ms.
 */
export function planScan(space: { readonly width: number; readonly rows: number; readonly limit: number }): ScanPlan {
  const { rows, width } = space;
  const limit = countFiltered(space.limit);
  const exactRows = Math.max(countExactVectors(width), Math.round(Math.sqrt(INDEXED_ROW_COST * limit * rows)));
  const mostTuples = Math.max(LEAST_TUPLES, Math.round((2 * limit * rows) / exactRows));
  return { exactRows, mostTuples, mostChunks: MOST_CHUNKS };
}

/**
 * Returns the number of vectors that may wait in the shared table before they are moved to the segment: a search
 * compares them one by one. This is twice the limit for exact scans, since a space that has just exceeded that limit
 * has as many vectors left to move.
 */
export function countMostUnmoved(width: number): number {
  return 2 * countExactVectors(width);
}

/**
 * Number of vectors moved per transaction: the deletion of a chunk may wait for the transaction, and the index takes a
 * millisecond for each vector.
 */
export const MOVED_AT_ONCE = 200;
export const DELETED_AT_ONCE = 2000;
