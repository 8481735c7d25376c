import type { Sample } from '../rules/ranking.ts';
import {
  countPageMatches,
  countRowsInReach,
  ESTIMATE_ERROR,
  estimateIndexCost,
  widenPlan,
  type RetrievalPlan,
} from '../rules/retrieval-plan.ts';
import { narrowsWalk } from '../store/match-conditions.store.ts';
import type { SessionPage } from '../store/page-rows.store.ts';
import { holdsAtMost } from '../store/row-estimate.store.ts';
import { findSessionPage, type SessionPageRequest } from '../store/session-page.store.ts';
import type { SearchDeps } from './plan-search.ts';

export interface FullPageRequest extends SessionPageRequest {
  /** Number of sessions that fill the page; default: `limit`. */
  readonly enough: number | undefined;
}

/** Continues the search while the page is not full and there is a plan that reads more. */
export async function findFullPage(
  deps: SearchDeps,
  request: FullPageRequest,
  sample: Sample,
): Promise<{ readonly page: SessionPage; readonly plan: RetrievalPlan }> {
  const { accountId, plan, limit, enough = limit, offset, filter } = request;
  const { client, estimates } = deps;
  const page = await findSessionPage(client, request);
  if (plan.arm !== 'walk' || page.sessions.length > (filter.sessionId === undefined ? enough : 0))
    return { page, plan };
  const pageMatches = countPageMatches(offset + enough);
  const accountRows = await estimates.readAccountRows(client, accountId);
  const indexCost = estimateIndexCost(sample, accountRows);
  const wider = widenPlan(plan, { matches: page.matchedChunks, indexCost, pageMatches });
  if (wider === undefined) return { page, plan };
  // A walk does not detect that it has read all rows, in which case a longer walk would find the same rows again. If at
  // most `reach` rows can match, all rows are read instead.
  const reach = countRowsInReach(wider, indexCost);
  const mayEnd = narrowsWalk(filter) || accountRows <= reach * ESTIMATE_ERROR;
  const isEndNear = mayEnd && (await holdsAtMost(client, request, reach));
  return findFullPage(deps, { ...request, plan: isEndNear ? { arm: 'all' } : wider }, sample);
}
