import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface CallingSessionKey {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** Source type of the agent's sessions, which is the kind of the agent. */
  readonly sourceType: string;
  /** Id of a call that a model's response requested. */
  readonly callId: string;
}

/**
 * Limits: number of open sessions of the agent that are searched, and number of the latest model calls in each, since
 * subagents work in parallel.
 */
const MOST_SESSIONS = 5;
export const LATEST_CALLS = 3;

/**
 * Finds the session in which a model's response requested a call, among the latest responses in open sessions of a key;
 * also returns the session that is open if there is only one.
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
