import type { SearchedSession } from './search-ports.ts';

/**
 * Maximum number of sessions in the lane: an id identifies a single session, but several sessions may share a
 * reference.
 */
export const MAX_NAMED = 5;

/** Sessions whose identifier equals the query. They precede the ranked ones, and each is listed only once. */
export interface IdentifierLane {
  readonly ids: readonly string[];
  /** Number of these sessions that earlier pages have shown. */
  readonly shown: number;
  /** The sessions of the lane that are shown first on this page. */
  readonly sessions: readonly SearchedSession[];
  /** False if the identifier may match more sessions than are listed. */
  readonly isWhole: boolean;
}
