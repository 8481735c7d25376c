import type { Static } from '@sinclair/typebox';
import type { AnyDatabase } from '@steward/database';
import type { UsageFilter } from '@steward/models';
import { readAgentFilter, readTimeBounds } from '@steward/api';
import type { UsageQuery } from './usage-schemas.ts';

type Query = Omit<Static<typeof UsageQuery>, 'limit' | 'cursor'>;

export async function readUsageFilter(db: AnyDatabase, query: Query, accountId: string): Promise<UsageFilter> {
  return {
    accountId,
    ...readTimeBounds(query),
    modelId: query.model_id,
    modelAlias: query.model_alias,
    provider: query.provider,
    endpoint: query.endpoint,
    status: query.status,
    apiKeyId: query.api_key_id,
    userId: query.user_id,
    managedAgentIds: await readAgentFilter(db, accountId, query.managed_agent_id),
    flowId: query.flow_id,
    executionId: query.execution_id,
    runtimeSessionId: query.runtime_session_id,
  };
}
