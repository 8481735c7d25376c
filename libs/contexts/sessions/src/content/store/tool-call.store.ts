import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { SessionContentRow } from '../../schema.ts';

export interface ToolCallRange {
  readonly accountId: string;
  readonly since: Date;
  readonly until: Date;
  /** Call before which the returned calls occurred; default: the newest are returned. */
  readonly before: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
}

export type ToolCallRow = Pick<
  SessionContentRow,
  | 'account_id'
  | 'id'
  | 'runtime_session_id'
  | 'occurred_at'
  | 'content'
  | 'content_object'
  | 'content_object_bytes'
  | 'content_sha256'
  | 'content_size_bytes'
> & {
  readonly tool_name: string;
  readonly session_source_type: string;
  readonly runtime_principal_id: string | null;
  readonly runtime_principal_name: string | null;
  readonly api_key_id: string | null;
  readonly execution_id: string | null;
  readonly flow_id: string | null;
};

/** Returns the rows of recorded calls, newest first, using a separate index. */
export async function listToolCallRows(db: AnyDatabase, range: ToolCallRange): Promise<readonly ToolCallRow[]> {
  const { accountId, since, until, before, limit } = range;
  const from = before === undefined ? sql`` : sql`and (c.occurred_at, c.id) < (${before.at}, ${before.id}::uuid)`;
  const { rows } = await sql<ToolCallRow>`
    select c.id, c.runtime_session_id, c.occurred_at, coalesce(c.tool_name, '') as tool_name, c.content,
      c.account_id, c.content_object, c.content_object_bytes, c.content_sha256, c.content_size_bytes,
      s.session_source_type, s.runtime_principal_id, s.runtime_principal_name,
      coalesce(c.api_key_id, s.api_key_id) as api_key_id, s.execution_id, s.flow_id
    from gateway.session_content c
    join gateway.runtime_session s on s.account_id = c.account_id and s.id = c.runtime_session_id
    where c.account_id = ${accountId} and c.kind = 'tool_call' and c.occurred_at >= ${since} and c.occurred_at < ${until} ${from}
    order by c.occurred_at desc, c.id desc limit ${limit}
  `.execute(db);
  return rows;
}
