import type { Candidate } from '../../semantic/candidate.ts';
import type { IdentifierLane } from '../identifier-lane.ts';
import { shortenId } from './fused-cursor.ts';
import type { SearchTask } from './read-search-task.ts';

export interface FusedPage {
  /** Candidates that follow the sessions of the identifier lane. */
  readonly ranked: readonly Candidate[];
  /** All ranked sessions shown so far, for the cursor. */
  readonly shown: readonly string[];
  readonly hasMore: boolean;
  readonly total: number;
}

/**
 * Returns a page of a list that was read completely: the entries after the lane, without sessions that the lane or an
 * earlier page contains.
 */
export function fillFusedPage(
  { input, fusedCursor }: Pick<SearchTask, 'input' | 'fusedCursor'>,
  lane: IdentifierLane,
  candidates: readonly Candidate[],
): FusedPage {
  const named = new Set(lane.ids);
  const list = candidates.filter(({ sessionId }) => !named.has(sessionId));
  const former = new Set(fusedCursor?.shown);
  const open = list.filter(({ sessionId }) => !former.has(shortenId(sessionId)));
  const start = Math.max(0, input.offset - lane.ids.length);
  const end = start + input.limit - lane.sessions.length;
  return {
    ranked: open.slice(start, end),
    shown: [...former, ...open.slice(0, end).map(({ sessionId }) => shortenId(sessionId))],
    hasMore: open.length > end || lane.ids.length > lane.shown + lane.sessions.length,
    total: lane.ids.length + former.size + open.length,
  };
}
