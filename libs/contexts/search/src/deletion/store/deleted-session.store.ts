import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface SessionKey {
  readonly accountId: string;
  readonly sessionId: string;
}

const DELETED = 'select runtime_session_id from search.deleted_session where account_id =';

/**
 * Returns the SQL condition that a row's session is not being deleted; `account` is the SQL text of the account
 * parameter ($n). The chunks of a deleted session are deleted in small batches, and cannot be found in the meantime.
 * The list of deleted sessions is read once per statement and is nearly always empty.
 */
export const describeKept = (account: string): string => `runtime_session_id <> all (array(${DELETED} ${account}))`;

/** Returns the condition of `describeKept` for a statement of the query builder. */
export const isKept = (accountId: string): RawBuilder<boolean> =>
  sql`runtime_session_id <> all (array(${sql.raw(DELETED)} ${accountId}::uuid))`;

/** Hides sessions as soon as the transaction commits, although their chunks still exist. */
export async function hideSessions(
  trx: AnyTransaction,
  accountId: string,
  sessionIds: readonly string[],
): Promise<void> {
  await sql`
    insert into search.deleted_session (account_id, runtime_session_id)
    select ${accountId}, id from unnest(${[...sessionIds]}::uuid[]) id order by id
  `.execute(trx);
}

/** Returns the number of hidden sessions of the account, counted up to a maximum of `most`. */
export async function countHiddenSessions(db: AnyDatabase, accountId: string, most: number): Promise<number> {
  const { rows } = await sql<{ hidden: number }>`
    select count(*)::int as hidden from (
      select from search.deleted_session where account_id = ${accountId} limit ${most}
    ) counted
  `.execute(db);
  return rows[0]?.hidden ?? 0;
}

export async function removeDeletedSession(trx: AnyTransaction, key: SessionKey): Promise<void> {
  await sql`
    delete from search.deleted_session where account_id = ${key.accountId} and runtime_session_id = ${key.sessionId}
  `.execute(trx);
}

/**
 * Deletes chunks of the session with their vectors and embedding tasks. Does not wait for rows that other transactions
 * have locked: these are left for the next batch. Returns the number of deleted chunks.
 */
export async function deleteSessionChunks(trx: AnyTransaction, key: SessionKey, limit: number): Promise<number> {
  const result = await sql<{ chunks: number }>`
    with chosen as materialized (
      select id from search.chunk where account_id = ${key.accountId} and runtime_session_id = ${key.sessionId}
      limit ${limit} for update skip locked
    ), gone as (
      delete from search.chunk where account_id = ${key.accountId} and id in (select id from chosen) returning id
    ), forgotten as (
      delete from search.embedding_task where account_id = ${key.accountId} and chunk_id in (select id from gone)
    )
    select count(*)::int as chunks from gone
  `.execute(trx);
  return result.rows[0]?.chunks ?? 0;
}

export async function hasChunks(db: AnyDatabase, key: SessionKey): Promise<boolean> {
  const { rows } = await sql`
    select from search.chunk where account_id = ${key.accountId} and runtime_session_id = ${key.sessionId} limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Deletes credential sightings in the session. Returns the number of deleted rows. */
export async function deleteSessionSightings(trx: AnyTransaction, key: SessionKey, limit: number): Promise<number> {
  const result = await sql`
    delete from search.credential_sighting where ctid in (
      select ctid from search.credential_sighting
      where account_id = ${key.accountId} and runtime_session_id = ${key.sessionId} limit ${limit}
    )
  `.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}

export async function deleteSessionLabels(trx: AnyTransaction, key: SessionKey): Promise<void> {
  await sql`
    delete from search.session_label where account_id = ${key.accountId} and runtime_session_id = ${key.sessionId}
  `.execute(trx);
}
