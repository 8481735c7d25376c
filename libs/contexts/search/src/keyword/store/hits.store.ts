import { MAX_EXACT_MATCHES, MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, MAX_WALKED_ROWS } from '../rules/ranking.ts';
import type { RetrievalPlan } from '../rules/retrieval-plan.ts';
import type { MatchConditions } from './match-conditions.store.ts';

const NEWEST = 'order by occurred_at desc, id desc';

/** Builds the CTEs `hit` (the matches that were found) and `chosen` (the row positions of the ranked matches). */
export function buildHits(plan: RetrievalPlan, conditions: MatchConditions, maxChunksPerSession: number): string {
  const { walk, match, param } = conditions;
  const perSession = param(Math.max(MAX_RANKED_PER_SESSION, maxChunksPerSession));
  switch (plan.arm) {
    case 'all':
      // Uses the time index instead of the text index, whose entries for a common word include the rows of every
      // account.
      return chooseFrom(
        `select tid, runtime_session_id, occurred_at, id from (
           select ctid as tid, * from search.chunk where ${walk} ${NEWEST} limit ${MAX_WALKED_ROWS}
         ) whole where ${match}`,
        perSession,
      );
    case 'index':
      return chooseFrom(
        `select ctid as tid, runtime_session_id, occurred_at, id from search.chunk where ${walk} and ${match}`,
        perSession,
      );
    case 'walk':
      // The filter is outside the limit: if it were inside, the walk might never end.
      return `hit as materialized (
          select tid from (
            select tid, id, occurred_at, row_number() over (partition by runtime_session_id ${NEWEST}) as place from (
              select ctid as tid, * from search.chunk where ${walk} ${NEWEST} limit ${param(Math.min(plan.rows, MAX_WALKED_ROWS))}::int
            ) newest where ${match}
          ) matching where place <= ${perSession} ${NEWEST} limit ${MAX_RANKED_MATCHES}
        ), chosen as (select tid from hit)`;
  }
}

/**
 * Chooses the matches to rank: all of them up to a limit; above it the newest ones, with a maximum number per session.
 * Only one of the two branches is executed.
 */
function chooseFrom(hits: string, perSession: string): string {
  const total = '(select count(*) from hit)';
  return `hit as materialized (${hits}),
     chosen as (
       select tid from hit where ${total} <= ${MAX_EXACT_MATCHES}
       union all
       (select tid from (
         select tid, occurred_at, id, row_number() over (partition by runtime_session_id ${NEWEST}) as place from hit
         where ${total} > ${MAX_EXACT_MATCHES}
       ) matching where place <= ${perSession} ${NEWEST} limit ${MAX_RANKED_MATCHES})
     )`;
}
