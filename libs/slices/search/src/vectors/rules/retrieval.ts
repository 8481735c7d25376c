/** Dimensions an index takes. */
export const WIDEST = 4000;

/**
 * What is scanned exactly without a second thought, in vectors times width: 10,000 of 384 dimensions take 8 ms (0.8 microseconds
 * each, all in memory). A space that outgrows it moves to a table of its own, with an index.
 */
const EXACT_DIMENSIONS = 4_000_000;
/** Narrow vectors cost as much as their rows do. */
const LEAST_COUNTED_WIDTH = 256;

/** Vectors of this width that are scanned exactly. */
export function countExactVectors(width: number): number {
  return Math.floor(EXACT_DIMENSIONS / Math.max(width, LEAST_COUNTED_WIDTH));
}

/**
 * How a space's index is built. Of 75,000 vectors in clusters some queries end in the wrong one, all ten of them missed: with 64
 * candidates (and 100 to look) 6 to 10 of 200, with 128 (and 200) 1 to 3, each build another graph. More links helped less.
 */
export const VECTOR_INDEX = { links: 16, candidates: 128 } as const;

const FEWEST_CANDIDATES = 200;
const MOST_CANDIDATES = 400;

/** Candidates the index keeps while it looks for so many; beyond the most it goes on where it stopped. */
export function countCandidates(limit: number): number {
  return Math.min(MOST_CANDIDATES, Math.max(FEWEST_CANDIDATES, limit));
}

/**
 * With a filter the index is asked for at least so many: what the filter leaves may lie far from the query, and the first ten
 * it comes upon there are not the nearest ten (recall 0.85 of one agent's vectors, 1.00 among more).
 */
const LEAST_FILTERED = 200;

/** Rows the index is asked for where a filter is set. */
export function countFiltered(limit: number): number {
  return Math.max(LEAST_FILTERED, limit);
}

/** What the index takes for one row that it yields (9.5 microseconds), in rows of an exact scan (1.2, each on a page of its own). */
const INDEXED_ROW_COST = 8;
const LEAST_TUPLES = 3000;

export interface ScanPlan {
  /** A filter that leaves no more is scanned exactly. */
  readonly exactRows: number;
  /** Where the index gives up: the filter leaves less near the query than it should, and an exact scan is quicker. */
  readonly mostTuples: number;
  /** Chunks looked at for further sessions where long ones fill the first scan; a space that has no more is compared as a whole. */
  readonly mostChunks: number;
}

/** Near a query, whatever sessions they are of: 75 ms of an index, and of fewer there is nothing to be saved. */
const MOST_CHUNKS = 8000;
/** Of what the first scan's sessions have each: those behind them are rarely shorter, and asking twice is dearer. */
const MORE_THAN_SEEN = 2;

/** Chunks to be looked at for so many sessions, where `looked` chunks were of `found`. */
export function countWider(seen: {
  readonly looked: number;
  readonly found: number;
  readonly sessions: number;
}): number {
  const { looked, found, sessions } = seen;
  return Math.ceil((MORE_THAN_SEEN * looked * sessions) / Math.max(1, found));
}

/**
 * An exact scan reads what a filter leaves, the index `limit` divided by the share of it: the two cost the same where it leaves
 * the root of limit x rows x cost. Of a million vectors and the 200 nearest that is 40,000 of them, 50 ms either way.
 */
export function planScan(space: { readonly width: number; readonly rows: number; readonly limit: number }): ScanPlan {
  const { rows, width } = space;
  const limit = countFiltered(space.limit);
  const exactRows = Math.max(countExactVectors(width), Math.round(Math.sqrt(INDEXED_ROW_COST * limit * rows)));
  const mostTuples = Math.max(LEAST_TUPLES, Math.round((2 * limit * rows) / exactRows));
  return { exactRows, mostTuples, mostChunks: MOST_CHUNKS };
}

/**
 * Vectors that may wait in the shared table for their way into the segment: a search compares them one by one. Twice what it does
 * of a small space, since a space that has just outgrown that begins to move with as many.
 */
export function countMostUnmoved(width: number): number {
  return 2 * countExactVectors(width);
}

/** Vectors of one transaction: whoever deletes a chunk may wait for it, and the index takes a millisecond for each. */
export const MOVED_AT_ONCE = 200;
export const DELETED_AT_ONCE = 2000;
