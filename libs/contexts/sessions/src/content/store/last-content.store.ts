import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { SessionContentRow } from '../../schema.ts';

export interface LastContent {
  readonly kind: 'transcript_message' | 'tool_call';
  readonly role: string | null;
  readonly toolName: string | null;
  /** Beginning of the content as JSON. */
  readonly text: string;
}

/** A message or tool call. If its body is in the object store, `text` is null. */
export type LastContentRow = Omit<LastContent, 'text'> &
  Pick<
    SessionContentRow,
    'account_id' | 'content_object' | 'content_object_bytes' | 'content_sha256' | 'content_size_bytes'
  > & { readonly text: string | null };

/** Returns the beginnings of the last messages and tool calls in a session, oldest first. */
export async function listLastRows(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionId: string; readonly limit: number; readonly maxLength: number },
): Promise<LastContentRow[]> {
  const { rows } = await sql<LastContentRow>`
    select kind, role, tool_name as "toolName", left(content::text, ${key.maxLength}) as text,
      account_id, content_object, content_object_bytes, content_sha256, content_size_bytes
    from gateway.session_content
    where account_id = ${key.accountId} and runtime_session_id = ${key.sessionId}
      and kind in ('transcript_message', 'tool_call') and content_captured
    order by occurred_at desc, id desc limit ${key.limit}
  `.execute(db);
  return rows.reverse();
}
