import { LRUCache } from 'lru-cache';
import type { PoolClient } from 'pg';
import { buildWalk, isPreparable, type MatchScope } from './match-conditions.store.ts';
import { runStatement } from './run-statement.store.ts';

interface ExplainedPlan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

/**
 * Returns the estimated number of rows that the query could match, according to the planner's statistics: this takes a
 * tenth of a millisecond, without counting millions of rows.
 */
export async function estimateRows(client: PoolClient, scope: MatchScope): Promise<number> {
  const { walk, values } = buildWalk({ ...scope, asOf: undefined });
  const result = await client.query<ExplainedPlan>(
    `explain (format json) select 1 from search.chunk where ${walk}`,
    values,
  );
  return result.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/**
 * Time for which an estimate is cached: the statistics on which it is based change only with the next analysis of the
 * table.
 */
const ESTIMATE_TTL_MS = 60_000;
const MOST_ESTIMATES = 1000;

export interface RowEstimates {
  /**
   * Returns the estimated number of all rows of an account. The estimate is cached for a minute, since about half of
   * the searches of a large account need it.
   */
  readAccountRows(client: PoolClient, accountId: string): Promise<number>;
}

export function createRowEstimates(): RowEstimates {
  const known = new LRUCache<string, number>({ max: MOST_ESTIMATES, ttl: ESTIMATE_TTL_MS });
  return {
    async readAccountRows(client, accountId) {
      const last = known.get(accountId);
      if (last !== undefined) return last;
      const rows = await estimateRows(client, { accountId, tsquery: '', filter: {}, asOf: undefined });
      known.set(accountId, rows);
      return rows;
    },
  };
}

/** Returns whether at most this number of rows could match. Reads rows by an index, newest first, as a walk does. */
export async function holdsAtMost(client: PoolClient, scope: MatchScope, rows: number): Promise<boolean> {
  const { walk, param, values } = buildWalk(scope);
  const text = `select count(*) as rows from (
      select 1 from search.chunk where ${walk}
      order by occurred_at desc, id desc limit ${param(rows + 1)}::int
    ) newest`;
  const [counted] = await runStatement<{ rows: number }>(client, { text, values, isPrepared: isPreparable(scope) });
  return (counted?.rows ?? 0) <= rows;
}
