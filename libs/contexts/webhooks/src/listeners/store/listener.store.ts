import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction, IdPage } from '@steward/database';
import { LISTENER_URL, type Listener } from '../listener.ts';

interface ListenerRow {
  id: string;
  description: string;
  event_types: string[];
  secret_hint: string | null;
  created_at: Date;
  seen_at: Date;
}

const selected = sql`
  select e.id, e.description, e.event_types, e.created_at, l.seen_at,
    (select s.hint from webhooks.endpoint_secret s where s.endpoint_id = e.id and s.expires_at is null) as secret_hint
  from webhooks.listener l join webhooks.endpoint e on e.id = l.endpoint_id and e.deleted_at is null`;

function toListener(row: ListenerRow): Listener {
  return {
    id: row.id,
    description: row.description,
    eventTypes: row.event_types,
    secretHint: row.secret_hint,
    createdAt: row.created_at,
    seenAt: row.seen_at,
  };
}

export interface NewListener {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
}

export async function insertListener(trx: AnyTransaction, listener: NewListener): Promise<void> {
  await sql`
    insert into webhooks.endpoint (id, account_id, source, source_id, url, description, event_types)
    values (${listener.id}, ${listener.accountId}, 'listener', ${listener.userId}, ${LISTENER_URL},
      ${listener.description}, ${[...listener.eventTypes]}::text[])
  `.execute(trx);
  await sql`
    insert into webhooks.listener (endpoint_id, account_id) values (${listener.id}, ${listener.accountId})
  `.execute(trx);
}

/** Returns the number of listeners, which is exact while the lock of `lockAccount` is held. */
export async function countListeners(trx: AnyTransaction, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks.listener where account_id = ${accountId}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

export async function findListener(db: AnyDatabase, accountId: string, id: string): Promise<Listener | undefined> {
  const { rows } = await sql<ListenerRow>`
    ${selected} where l.account_id = ${accountId} and l.endpoint_id = ${id}
  `.execute(db);
  return rows[0] === undefined ? undefined : toListener(rows[0]);
}

/** Lists listeners, newest first; one row more than `limit` shows that there is another page. */
export async function listListeners(db: AnyDatabase, query: IdPage): Promise<Listener[]> {
  const before = query.beforeId === undefined ? sql`` : sql`and l.endpoint_id < ${query.beforeId}`;
  const { rows } = await sql<ListenerRow>`
    ${selected} where l.account_id = ${query.accountId} ${before} order by l.endpoint_id desc limit ${query.limit + 1}
  `.execute(db);
  return rows.map(toListener);
}

/** Deletes the row of a listener, and returns whether it existed. */
export async function deleteListenerRow(trx: AnyTransaction, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from webhooks.listener where account_id = ${accountId} and endpoint_id = ${id} returning endpoint_id
  `.execute(trx);
  return rows.length > 0;
}

/**
 * Records that a stream of the listener is open, and returns the listener's encrypted secret; undefined if the listener
 * was deleted.
 */
export async function touchListener(db: AnyDatabase, accountId: string, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ ciphertext: Buffer }>`
    with seen as (
      update webhooks.listener set seen_at = clock_timestamp()
      where account_id = ${accountId} and endpoint_id = ${id} returning endpoint_id
    )
    select s.ciphertext from webhooks.endpoint_secret s join seen on seen.endpoint_id = s.endpoint_id
    where s.expires_at is null
  `.execute(db);
  return rows[0]?.ciphertext;
}
