import { sql, type RawBuilder } from 'kysely';
import type { UsageFilter } from '../usage-row.ts';

const COLUMNS = {
  modelId: 'model_id',
  modelAlias: 'model_alias',
  provider: 'provider',
  endpoint: 'endpoint',
  status: 'status',
  apiKeyId: 'api_key_id',
  userId: 'user_id',
  flowId: 'flow_id',
  executionId: 'execution_id',
  runtimeSessionId: 'runtime_session_id',
} as const satisfies Partial<Record<keyof UsageFilter, string>>;

/** Builds conditions only for the filters that are set, so that each combination of filters gets its own query plan. */
export function buildUsageConditions(filter: UsageFilter): RawBuilder<unknown> {
  const { accountId, since, until, managedAgentIds } = filter;
  const equal = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).flatMap((name) =>
    filter[name] === undefined ? [] : [sql`${sql.id(COLUMNS[name])} = ${filter[name]}`],
  );
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(since === undefined ? [] : [sql`occurred_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`occurred_at < ${until}`]),
    ...(managedAgentIds === undefined ? [] : [sql`managed_agent_id = any (${[...managedAgentIds]}::text[])`]),
    ...equal,
  ];
  return sql.join(conditions, sql` and `);
}
