import type { SearchedSession } from './search-ports.ts';

/** An identifier names one session; a reference may be shared by a few. */
export const MAX_NAMED = 5;

/** The sessions whose identifier the query is. They come before the ranked ones, each once. */
export interface IdentifierLane {
  readonly ids: readonly string[];
  /** How many of them earlier pages have shown. */
  readonly shown: number;
  /** Those this page begins with. */
  readonly sessions: readonly SearchedSession[];
  /** False when the identifier may name more than are shown. */
  readonly isWhole: boolean;
}
