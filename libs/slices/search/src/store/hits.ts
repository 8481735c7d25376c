import { MAX_EXACT_MATCHES, MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, MAX_WALKED_ROWS } from '../rules/ranking.ts';
import type { RetrievalPlan } from '../rules/retrieval-plan.ts';
import type { MatchConditions } from './match-conditions.ts';

/** Where the matches are, newest first; one more than can be exact, so that it shows. */
export function buildHits(
  plan: RetrievalPlan,
  { walk, match, time, param }: MatchConditions,
  maxChunksPerSession: number,
): string {
  const newest = 'order by occurred_at desc, id desc';
  switch (plan.arm) {
    case 'all':
      // Through the account's few rows, not through the text index: there a common word has the rows of every account.
      return `select tid from (
          select ctid as tid, * from search.chunk where ${walk} ${newest} limit ${MAX_WALKED_ROWS}
        ) whole where ${match} ${newest} limit ${MAX_EXACT_MATCHES + 1}`;
    case 'index':
      return `select ctid as tid from search.chunk where ${walk} and ${match}
        order by ${time} desc, id desc limit ${MAX_EXACT_MATCHES + 1}`;
    case 'walk':
      // The filter stands outside of the limit: inside, the walk would have no end.
      return `select tid from (
          select tid, id, occurred_at, row_number() over (partition by runtime_session_id ${newest}) as place from (
            select ctid as tid, * from search.chunk where ${walk} ${newest} limit ${param(Math.min(plan.rows, MAX_WALKED_ROWS))}::int
          ) newest where ${match}
        ) matching where place <= ${param(Math.max(MAX_RANKED_PER_SESSION, maxChunksPerSession))} ${newest} limit ${MAX_RANKED_MATCHES}`;
  }
}
