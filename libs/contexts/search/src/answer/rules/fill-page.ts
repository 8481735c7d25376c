import type { DegradedReason } from '@steward/contracts';
import type { KeywordSearchPage } from '../../keyword/keyword-search.ts';
import type { SessionMatch } from '../../keyword/session-match.ts';
import type { IdentifierLane } from '../identifier-lane.ts';
import type { SearchTask } from './read-search-task.ts';
import { encodeSearchCursor } from './search-cursor.ts';

export interface ResultPage {
  /** Ranked sessions that follow those of the identifier lane. */
  readonly ranked: readonly SessionMatch[];
  readonly nextCursor: string | null;
}

/** Fills the rest of a page after the lane, in ranking order, without sessions of the lane. */
export function fillPage(
  task: SearchTask,
  lane: IdentifierLane,
  found: {
    readonly page: KeywordSearchPage;
    readonly unmatched: number;
    /** Reasons why only keywords were searched although more was requested; undefined if nothing more was requested. */
    readonly reasons?: readonly DegradedReason[] | undefined;
  },
): ResultPage {
  const { input, cursor } = task;
  const { page } = found;
  const named = new Set(lane.ids);
  const room = input.limit - lane.sessions.length;
  const shown = lane.shown + lane.sessions.length;
  const ranked: SessionMatch[] = [];
  let after = cursor?.after ?? null;
  let hasMore = page.sessions.length > input.limit || shown < lane.ids.length;
  for (const match of page.sessions.slice(0, input.limit)) {
    if (!named.has(match.sessionId)) {
      if (ranked.length === room) {
        hasMore = true;
        break;
      }
      ranked.push(match);
    }
    after = { score: match.score, lastMatchAt: match.lastMatchAt, sessionId: match.sessionId };
  }
  const position = {
    asOf: page.asOf,
    plan: page.plan,
    after,
    namedIds: lane.ids,
    namedShown: shown,
    namedUnmatched: found.unmatched,
    reasons: found.reasons,
  };
  return { ranked, nextCursor: hasMore ? encodeSearchCursor(input, position) : null };
}
