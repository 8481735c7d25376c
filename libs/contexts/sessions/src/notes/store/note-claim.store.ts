import { sql, type RawBuilder } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { DeliveryChannel, OperatorNote } from '../operator-note.ts';
import { noteColumns, toOperatorNote, type FoundNote } from './operator-note.store.ts';

/** Maximum number of notes per delivery; further ones are delivered at the next turn (SESS-33). */
const MAX_NOTES = 5;
/** Duration of a claim: a delivering process renews it in time, and the claim of a dead process expires. */
export const CLAIM_SECONDS = 60;

/**
 * Returns an SQL condition: whether any note is waiting in the account. The condition is evaluated before every model
 * call, and needs one index look-up.
 */
function selectPending(account: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from gateway.operator_note note
    where note.account_id = ${account} and note.delivered_at is null and note.cancelled_at is null
      and (note.expires_at is null or note.expires_at > now())
  )`;
}

/** Returns the same condition for the account in a column, for use in another statement. */
export function selectHasNotes(accountColumn: string): RawBuilder<boolean> {
  return selectPending(sql.ref(accountColumn));
}

export async function hasPendingNotes(db: AnyDatabase, accountId: string): Promise<boolean> {
  const statement = sql<{ pending: boolean }>`select ${selectPending(sql`${accountId}`)} as pending`;
  const found = await executePrepared(db, 'notes.pending', statement);
  return found.rows[0]?.pending === true;
}

/**
 * Recipient of notes. Each of the ids of session, agent and execution selects notes independently of the others; an
 * undefined id selects none.
 */
export interface NoteTaker {
  readonly accountId: string;
  readonly sessionId: string | undefined;
  /** Agent to which the credential is bound. */
  readonly agentId: string | undefined;
  readonly executionId: string | undefined;
  /** True if the agent receives the notes to all of its sessions, because its calls do not name a session. */
  readonly takesAllSessions: boolean;
}

/**
 * Claims notes with the token, oldest first. A claim lasts until the note is delivered or released, or until the claim
 * expires. Notes claimed by other processes are skipped.
 */
export async function claimNotes(db: AnyDatabase, taker: NoteTaker, token: string): Promise<OperatorNote[]> {
  const { accountId, sessionId, agentId, executionId, takesAllSessions } = taker;
  const claimed = await sql<FoundNote>`
    with due as (
      select d.id from gateway.operator_note d
      where d.account_id = ${accountId} and d.delivered_at is null and d.cancelled_at is null
        and (d.expires_at is null or d.expires_at > now()) and (d.claimed_until is null or d.claimed_until <= now())
        -- One that was written to a session that had ended is a remark for its readers; of a deleted one nothing is read.
        and (d.runtime_session_id is null or exists (
          select from gateway.runtime_session s where s.account_id = d.account_id and s.id = d.runtime_session_id
            and (s.ended_at is null or s.ended_at > d.created_at)
        ))
        and (
          d.runtime_session_id = ${sessionId ?? null}::uuid
          or d.managed_agent_id = ${agentId ?? null}::text and d.execution_id is null and (d.runtime_session_id is null or ${takesAllSessions}::boolean)
          or d.execution_id = ${executionId ?? null}::uuid and d.runtime_session_id is null
        )
      order by d.id limit ${MAX_NOTES} for update skip locked
    )
    update gateway.operator_note n set claim_token = ${token}, claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    from due where n.account_id = ${accountId} and n.id = due.id
    returning ${noteColumns}
  `.execute(db);
  return claimed.rows.map(toOperatorNote).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Extends claims of notes that are being delivered. */
export async function extendNoteClaims(db: AnyDatabase, tokens: readonly string[]): Promise<void> {
  await sql`
    update gateway.operator_note set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where claim_token = any(${[...tokens]}::uuid[]) and claimed_until > now() and delivered_at is null and cancelled_at is null
  `.execute(db);
}

interface Claim {
  readonly accountId: string;
  readonly token: string;
}

/** Releases undelivered notes: they are delivered at the next turn. */
export async function releaseNotes(db: AnyDatabase, { accountId, token }: Claim): Promise<void> {
  await sql`
    update gateway.operator_note set claim_token = null, claimed_until = null
    where account_id = ${accountId} and claim_token = ${token} and delivered_at is null and cancelled_at is null
  `.execute(db);
}

export interface Delivery {
  readonly now: Date;
  readonly channel: DeliveryChannel;
  /** The session in which the notes were delivered; undefined if there is none. */
  readonly sessionId: string | undefined;
}

/**
 * Marks notes still held by the token as delivered. A note without a session is assigned to the session of the
 * delivery.
 */
export async function storeDelivery(
  trx: AnyTransaction,
  { accountId, token }: Claim,
  { now, channel, sessionId }: Delivery,
): Promise<OperatorNote[]> {
  // A note is not assigned to a session that has been deleted in the meantime, because the note would never be deleted.
  const own = sql`coalesce(n.runtime_session_id, (
    select s.id from gateway.runtime_session s where s.account_id = n.account_id and s.id = ${sessionId ?? null}::uuid
  ))`;
  // The model call that delivers a note is stored only after its response, so it is added to the number of stored
  // calls.
  const more = channel === 'gateway' ? 1 : 0;
  const delivered = await sql<FoundNote>`
    update gateway.operator_note n set
      delivered_at = ${now}, delivery_channel = ${channel}, runtime_session_id = ${own},
      turn_index = case when ${own} is not null then ${more}::integer + (
        select count(*) from gateway.session_content c
        where c.account_id = n.account_id and c.runtime_session_id = ${own} and c.kind = 'gateway_interaction'
      ) end,
      claim_token = null, claimed_until = null
    where n.account_id = ${accountId} and n.claim_token = ${token} and n.delivered_at is null and n.cancelled_at is null
    returning ${noteColumns}
  `.execute(trx);
  return delivered.rows.map(toOperatorNote);
}

/** Removes the text of a note, which is now content of its session. */
export async function forgetOwnText(trx: AnyTransaction, { accountId, id }: OperatorNote): Promise<void> {
  await sql`update gateway.operator_note set text = null where account_id = ${accountId} and id = ${id}`.execute(trx);
}
