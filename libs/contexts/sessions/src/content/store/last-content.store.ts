import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface LastContent {
  readonly kind: 'transcript_message' | 'tool_call';
  readonly role: string | null;
  readonly toolName: string | null;
  /** Beginning of the content as JSON. */
  readonly text: string;
}

/** Returns the last messages and calls in a session, oldest first; only the beginning of each. */
export async function listLastContent(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionId: string; readonly limit: number; readonly maxLength: number },
): Promise<LastContent[]> {
  const { rows } = await sql<LastContent>`
    select kind, role, tool_name as "toolName", left(content::text, ${key.maxLength}) as text
    from gateway.session_content
    where account_id = ${key.accountId} and runtime_session_id = ${key.sessionId}
      and kind in ('transcript_message', 'tool_call') and content is not null
    order by occurred_at desc, id desc limit ${key.limit}
  `.execute(db);
  return rows.reverse();
}
