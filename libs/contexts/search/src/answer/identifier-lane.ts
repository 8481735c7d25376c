import type { SearchedSession } from './search-ports.ts';

/** Maximum number of sessions in the lane, unless the query is a UUID: several sessions may share a reference. */
export const MAX_NAMED = 5;

/**
 * Sessions that the query identifies exactly: by their id, source id, reference or execution id, or by the id of an API
 * key that opened them or stored content in them. They precede the ranked sessions, and each is listed only once.
 */
export interface IdentifierLane {
  readonly ids: readonly string[];
  /** Number of these sessions that earlier pages have shown. */
  readonly shown: number;
  /** The sessions of the lane that are shown first on this page. */
  readonly sessions: readonly SearchedSession[];
  /** False if the query may be the id of an API key with content in more sessions than are listed. */
  readonly isWhole: boolean;
}
