import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { UsageFilter } from '../usage-row.ts';
import type { UsageGroup, UsageSummary, UsageSums } from '../usage-summary.ts';
import { buildUsageConditions } from './usage-filter.store.ts';

const KEYS: Readonly<Record<UsageGroup, ReturnType<typeof sql>>> = {
  // The name that clients use, which remains in rows after the model is deleted.
  model: sql`model_alias`,
  agent: sql`managed_agent_id`,
  api_key: sql`api_key_id`,
  flow: sql`flow_id`,
  session: sql`runtime_session_id`,
  day: sql`(occurred_at at time zone 'UTC')::date`,
};

interface SummaryRow {
  readonly is_total: boolean;
  readonly key: string | null;
  readonly calls: number;
  readonly refused_calls: number;
  readonly unpriced_calls: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: string;
}

export interface SummaryRequest extends UsageFilter {
  readonly groupBy: UsageGroup;
  /** Maximum number of groups. */
  readonly limit: number;
}

/** Sets a time limit for each statement in the rest of the transaction. */
export async function boundStatements(trx: AnyTransaction, timeoutMs: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(trx);
}

/** Returns the total cost of rows, in US dollars as a decimal string. */
export async function sumCosts(trx: AnyTransaction, filter: UsageFilter): Promise<string> {
  const { rows } = await sql<{ cost: string }>`
    select trim_scale(coalesce(sum(cost_usd), 0))::text as cost from models.usage where ${buildUsageConditions(filter)}
  `.execute(trx);
  return rows[0]?.cost ?? '0';
}

/** Returns the sums of each group and the total, which also covers the groups that are not returned. */
export async function sumUsage(trx: AnyTransaction, request: SummaryRequest): Promise<UsageSummary> {
  const order = request.groupBy === 'day' ? sql`key` : sql`cost desc, calls desc, key`;
  const { rows } = await sql<SummaryRow>`
    with booked as (
      select ${KEYS[request.groupBy]} as key, * from (
        select model_alias, managed_agent_id, api_key_id, flow_id, runtime_session_id, occurred_at, status, input_tokens,
          cached_input_tokens, output_tokens, cost_usd
        from models.usage where ${buildUsageConditions(request)}
      ) rows
    ), summed as (
      select grouping(key) = 1 as is_total, key, count(*) as calls,
        count(*) filter (where status = 'refused') as refused_calls,
        count(*) filter (where cost_usd is null) as unpriced_calls,
        coalesce(sum(input_tokens), 0)::bigint as input_tokens,
        coalesce(sum(cached_input_tokens), 0)::bigint as cached_input_tokens,
        coalesce(sum(output_tokens), 0)::bigint as output_tokens, coalesce(sum(cost_usd), 0) as cost
      from booked group by grouping sets ((key), ())
    )
    select is_total, key::text as key, calls, refused_calls, unpriced_calls, input_tokens, cached_input_tokens, output_tokens,
      trim_scale(cost)::text as cost_usd
    from summed order by is_total desc, ${order} limit ${request.limit + 2}
  `.execute(trx);
  const [total, ...groups] = rows;
  return {
    groups: groups.slice(0, request.limit).map((row) => ({ key: row.key, ...readSums(row) })),
    total: readSums(total as SummaryRow),
    isCut: groups.length > request.limit,
  };
}

function readSums(row: SummaryRow): UsageSums {
  return {
    calls: row.calls,
    refusedCalls: row.refused_calls,
    unpricedCalls: row.unpriced_calls,
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_input_tokens,
    outputTokens: row.output_tokens,
    costUsd: row.cost_usd,
  };
}
