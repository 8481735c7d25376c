import type { AnyDatabase } from '@steward/database';
import { defineRoute, encodeCursor, pageOf, readTimePage, toPage, type AnswerBody, type Route } from '@steward/http';
import { listUsage, type UsageRow } from '@steward/models';
import { readUsageFilter } from './read-usage-filter.ts';
import { UsageAnswer, UsageQuery } from './usage-schemas.ts';

export function createListUsageRoute({ db }: { readonly db: AnyDatabase }): Route {
  return defineRoute({
    operationId: 'listUsage',
    method: 'get',
    path: '/api/v1/usage',
    permissions: ['view_cost'],
    summary: 'List model calls with their tokens and costs, newest first.',
    query: UsageQuery,
    responses: { 200: { description: 'A page of calls.', name: 'UsageRow', schema: pageOf(UsageAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const { limit, after } = readTimePage(query);
      const rows = await listUsage(db, { ...(await readUsageFilter(db, query, accountId)), after, limit });
      const cursor = (row: UsageRow): string => encodeCursor(row.occurredAt, row.id);
      return { status: 200, body: toPage(rows, limit, { item: presentUsage, cursor }) };
    },
  });
}

function presentUsage(row: UsageRow): AnswerBody<typeof UsageAnswer> {
  return {
    id: row.id,
    occurred_at: row.occurredAt,
    account_id: row.accountId,
    api_key_id: row.apiKeyId,
    user_id: row.userId,
    managed_agent_id: row.managedAgentId,
    execution_id: row.executionId,
    flow_id: row.flowId,
    runtime_session_id: row.runtimeSessionId,
    model_id: row.modelId,
    model_alias: row.modelAlias,
    provider: row.provider,
    endpoint: row.endpoint,
    status: row.status,
    input_tokens: row.inputTokens,
    cached_input_tokens: row.cachedInputTokens,
    output_tokens: row.outputTokens,
    cost_usd: row.costUsd === null ? null : Number(row.costUsd),
    price_source: row.priceSource,
    usage_source: row.usageSource,
    duration_ms: row.durationMs,
    first_byte_ms: row.firstByteMs,
    stream: row.stream,
    error_class: row.errorClass,
  };
}
