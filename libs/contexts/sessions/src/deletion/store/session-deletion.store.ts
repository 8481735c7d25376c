import { sql } from 'kysely';
import type { SessionContentKind } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import type { Deletable } from '../rules/find-refusal.ts';

export interface SessionKey {
  readonly accountId: string;
  readonly sessionId: string;
}

/**
 * Locks the sessions until the end of the transaction, and returns them. The lock waits for concurrent writers; later
 * writers wait for it, and then no longer find a session that was deleted. Locks the rows in a fixed order, so that
 * concurrent deletions do not deadlock.
 */
export async function lockForDeletion(
  trx: AnyTransaction,
  accountId: string,
  sessionIds: readonly string[],
): Promise<Deletable[]> {
  const { rows } = await sql<Deletable>`
    select id, legal_hold, execution_id, ended_at, last_activity_at from gateway.runtime_session
    where account_id = ${accountId} and id = any (${[...sessionIds]}::uuid[]) order by id for update
  `.execute(trx);
  return rows;
}

/** Deletes the rows of sessions, and records that their data has to be deleted. */
export async function deleteSessions(
  trx: AnyTransaction,
  accountId: string,
  sessionIds: readonly string[],
): Promise<void> {
  await sql`
    with gone as (
      delete from gateway.runtime_session where account_id = ${accountId} and id = any (${[...sessionIds]}::uuid[]) returning id
    )
    insert into gateway.session_deletion (account_id, runtime_session_id) select ${accountId}, id from gone order by id
  `.execute(trx);
}

/** Returns the number of the account's sessions whose deletion is in progress, counted up to a maximum of `most`. */
export async function countDeletions(db: AnyDatabase, accountId: string, most: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from gateway.session_deletion where account_id = ${accountId} limit ${most}
    ) counted
  `.execute(db);
  return rows[0]?.waiting ?? 0;
}

/** Selects the deleted sessions, of all accounts, whose data has not been completely deleted. */
export const WAITING_DELETIONS = sql`select from gateway.session_deletion`;

/**
 * Claims the deleted session that has waited longest and that no other process works on. It is locked until the end of
 * the transaction: if the process dies, the lock is released.
 */
export async function claimDeletion(trx: AnyTransaction): Promise<SessionKey | undefined> {
  const { rows } = await sql<SessionKey>`
    select account_id as "accountId", runtime_session_id as "sessionId" from gateway.session_deletion
    order by requested_at limit 1 for update skip locked
  `.execute(trx);
  return rows[0];
}

/** Lets the deletions of all other sessions come first. */
export async function postponeDeletion(db: AnyDatabase, { accountId, sessionId }: SessionKey): Promise<void> {
  await sql`
    update gateway.session_deletion set requested_at = clock_timestamp()
    where account_id = ${accountId} and runtime_session_id = ${sessionId}
  `.execute(db);
}

export async function removeDeletion(trx: AnyTransaction, { accountId, sessionId }: SessionKey): Promise<void> {
  await sql`
    delete from gateway.session_deletion where account_id = ${accountId} and runtime_session_id = ${sessionId}
  `.execute(trx);
}

/**
 * Deletes the oldest content of a session: at most a fixed number of rows, fewer if their bodies are large, but at
 * least one. Returns which rows were deleted, and the ids of the operator notes among them.
 */
export async function deleteContentBatch(
  trx: AnyTransaction,
  { accountId, sessionId }: SessionKey,
  most: { readonly rows: number; readonly bytes: number },
): Promise<{
  readonly rows: number;
  readonly deleted: readonly { id: string; kind: SessionContentKind }[];
  readonly noteIds: readonly string[];
  /** Whether any of the bodies was in the object store. */
  readonly hadObjects: boolean;
}> {
  const { rows } = await sql<{ id: string; kind: SessionContentKind; isObject: boolean }>`
    with next as materialized (
      select id, content_size_bytes, occurred_at from gateway.session_content
      where account_id = ${accountId} and runtime_session_id = ${sessionId}
      order by occurred_at, id limit ${most.rows}
    ), chosen as materialized (
      select id from (
        select id, sum(content_size_bytes) over (order by occurred_at, id) - content_size_bytes as bytes_before from next
      ) summed where bytes_before < ${most.bytes}
    )
    delete from gateway.session_content where account_id = ${accountId} and id in (select id from chosen)
    returning id, kind, content_object is not null as "isObject"
  `.execute(trx);
  return {
    rows: rows.length,
    deleted: rows,
    hadObjects: rows.some(({ isObject }) => isObject),
    noteIds: rows.filter(({ kind }) => kind === 'operator_note').map(({ id }) => id),
  };
}

export async function deleteNotes(trx: AnyTransaction, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tables(trx)
    .deleteFrom('gateway.operator_note')
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
}

/**
 * Returns the ids of those given sessions that exist, and locks these sessions, so that they cannot be deleted before
 * the end of the transaction. The lock does not block writers.
 */
export async function holdSessions(
  trx: AnyTransaction,
  accountId: string,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sessionIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from gateway.runtime_session
    where account_id = ${accountId} and id = any (${[...sessionIds]}::uuid[]) order by id for key share
  `.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
