import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface CallingSessionKey {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** Source type of the agent's sessions; it is the kind of the agent. */
  readonly sourceType: string;
  /** Id of a tool call that was requested in a model's response. */
  readonly callId: string;
}

/**
 * Maximum number of open sessions that are searched, and number of the latest model calls that are searched in each
 * session. Several calls are searched, because subagents work in parallel.
 */
const MOST_SESSIONS = 5;
export const LATEST_CALLS = 3;

/**
 * Finds the session in which a tool call was requested, by searching the latest model responses in the open sessions of
 * an API key. Also returns the id of the open session if there is only one.
 */
export async function findSessionOfModelCall(
  db: AnyDatabase,
  { accountId, apiKeyId, sourceType, callId }: CallingSessionKey,
): Promise<{ readonly sessionId: string | undefined; readonly onlyOpenId: string | undefined }> {
  const { rows } = await sql<{ id: string; asked: boolean }>`
    select session.id, exists (
      select from (
        select content from gateway.session_content
        where account_id = ${accountId} and runtime_session_id = session.id and kind = 'gateway_interaction'
        order by occurred_at desc, id desc limit ${LATEST_CALLS}
      ) latest where position(to_json(${callId}::text)::text in (latest.content -> 'response')::text) > 0
    ) as asked
    from (
      select id from gateway.runtime_session
      where account_id = ${accountId} and api_key_id = ${apiKeyId} and session_source_type = ${sourceType}
        and ended_at is null
      order by started_at desc limit ${MOST_SESSIONS}
    ) session
  `.execute(db);
  const [first] = rows;
  return { sessionId: rows.find(({ asked }) => asked)?.id, onlyOpenId: rows.length === 1 ? first?.id : undefined };
}
