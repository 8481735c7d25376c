import { sql } from 'kysely';
import type { RecordedToolCall } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';

export interface ToolCallRange {
  readonly accountId: string;
  readonly since: Date;
  readonly until: Date;
  /** Call before which the returned calls occurred; default: the newest are returned. */
  readonly before: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
}

/** Returns recorded calls, newest first, using a separate index. */
export async function listToolCalls(db: AnyDatabase, range: ToolCallRange): Promise<RecordedToolCall[]> {
  const { accountId, since, until, before, limit } = range;
  const from = before === undefined ? sql`` : sql`and (c.occurred_at, c.id) < (${before.at}, ${before.id}::uuid)`;
  const { rows } = await sql<{
    id: string;
    runtime_session_id: string;
    occurred_at: Date;
    tool_name: string;
    content: { arguments?: unknown } | null;
    session_source_type: string;
    runtime_principal_id: string | null;
    runtime_principal_name: string | null;
    api_key_id: string | null;
    execution_id: string | null;
    flow_id: string | null;
  }>`
    select c.id, c.runtime_session_id, c.occurred_at, coalesce(c.tool_name, '') as tool_name, c.content,
      s.session_source_type, s.runtime_principal_id, s.runtime_principal_name,
      coalesce(c.api_key_id, s.api_key_id) as api_key_id, s.execution_id, s.flow_id
    from gateway.session_content c
    join gateway.runtime_session s on s.account_id = c.account_id and s.id = c.runtime_session_id
    where c.account_id = ${accountId} and c.kind = 'tool_call' and c.occurred_at >= ${since} and c.occurred_at < ${until} ${from}
    order by c.occurred_at desc, c.id desc limit ${limit}
  `.execute(db);
  return rows.map((row) => ({
    id: row.id,
    sessionId: row.runtime_session_id,
    occurredAt: row.occurred_at,
    toolName: row.tool_name,
    arguments: row.content?.arguments,
    session: { sourceType: row.session_source_type },
    agent:
      row.runtime_principal_id === null
        ? undefined
        : { id: row.runtime_principal_id, name: row.runtime_principal_name ?? '' },
    apiKeyId: row.api_key_id,
    execution:
      row.execution_id === null || row.flow_id === null ? undefined : { id: row.execution_id, flowId: row.flow_id },
  }));
}
