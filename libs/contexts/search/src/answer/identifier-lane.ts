import type { SearchedSession } from './search-ports.ts';

/** An identifier names one session; a reference may be shared by a few. */
export const MAX_NAMED = 5;

/** Sessions whose identifier equals the query. They come before the ranked ones, each once. */
export interface IdentifierLane {
  readonly ids: readonly string[];
  /** Number of them that earlier pages have shown. */
  readonly shown: number;
  /** The sessions at the beginning of this page. */
  readonly sessions: readonly SearchedSession[];
  /** False if the identifier may name more than are shown. */
  readonly isWhole: boolean;
}
