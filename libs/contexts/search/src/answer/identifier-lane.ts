import type { SearchedSession } from './search-ports.ts';

/** An identifier names one session; a reference may be shared by a few. */
export const MAX_NAMED = 5;

/** Sessions whose identifier equals the query. They come before the ranked ones, each only once. */
export interface IdentifierLane {
  readonly ids: readonly string[];
  /** Number of them that earlier pages have shown. */
  readonly shown: number;
  /** The identified sessions that come first on this page. */
  readonly sessions: readonly SearchedSession[];
  /** False if the identifier may name more sessions than are shown. */
  readonly isWhole: boolean;
}
