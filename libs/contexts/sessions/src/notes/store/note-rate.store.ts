import { AppError } from '@steward/contracts';
import { firstIdAt } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { sql } from 'kysely';
import { tables } from '../../schema.ts';

const HOUR_MS = 3_600_000;

/** Maximum number of notes that one author may send to one agent per hour (LIM-62). */
const MAX_NOTES_PER_HOUR = 20;

export interface NoteSender {
  readonly accountId: string;
  readonly authorUserId: string;
  /** Agent of the note; null if the session names no agent, in which case the limit applies to the session. */
  readonly managedAgentId: string | null;
  /** Session of the note; null for a waiting note, which always has an agent. */
  readonly runtimeSessionId: string | null;
  readonly now: Date;
}

/**
 * Rejects a note if its author has sent the maximum number of notes to its agent within the last hour. Notes from one
 * author to one agent are serialized until the end of the transaction, so that concurrent ones cannot exceed the limit.
 * @throws rate_limited, with the time until the oldest note of the last hour is no longer counted
 */
export async function requireNoteRate(trx: AnyTransaction, sender: NoteSender): Promise<void> {
  const { accountId, authorUserId, managedAgentId, runtimeSessionId, now } = sender;
  const name = `operator notes ${accountId} ${authorUserId} ${managedAgentId ?? runtimeSessionId ?? ''}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);

  const since = new Date(now.getTime() - HOUR_MS);
  const recent = await tables(trx)
    .selectFrom('gateway.operator_note')
    .select('created_at')
    .where('account_id', '=', accountId)
    // Ids begin with their creation time, so with this condition the scan of the primary key starts with the ids of two
    // hours ago instead of the account's first note.
    .where('id', '>=', firstIdAt(new Date(since.getTime() - HOUR_MS)))
    .where('author_user_id', '=', authorUserId)
    .where('created_at', '>', since)
    .where((eb) =>
      managedAgentId === null
        ? eb.and([eb('managed_agent_id', 'is', null), eb('runtime_session_id', '=', runtimeSessionId)])
        : eb('managed_agent_id', '=', managedAgentId),
    )
    .orderBy('created_at', 'desc')
    .limit(MAX_NOTES_PER_HOUR)
    .execute();
  const oldest = recent[MAX_NOTES_PER_HOUR - 1];
  if (oldest === undefined) return;
  throw new AppError('rate_limited', {
    message: `At most ${MAX_NOTES_PER_HOUR} notes an hour from one author to one agent. Try again after the time in Retry-After.`,
    detail: { limit: MAX_NOTES_PER_HOUR },
    retryAfterSeconds: Math.max(1, Math.ceil((oldest.created_at.getTime() - since.getTime()) / 1000)),
  });
}
