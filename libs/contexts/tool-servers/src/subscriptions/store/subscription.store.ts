import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Identifies a session of a client; `listener` is a hash that no other client can guess. */
export interface Listener {
  readonly accountId: string;
  readonly listener: Buffer;
}

/** Maximum number of subscriptions per session (LIM-84). */
const MOST_SUBSCRIBED = 100;
/**
 * Maximum number of subscriptions in all sessions of an account. The limit per session is not enough, because clients
 * choose the session ids and can open any number of sessions.
 */
const MOST_OF_ACCOUNT = 10_000;
/**
 * Number of days after which a subscription that was not renewed is deleted, since a client may disconnect without a
 * message. It is deleted when the account next stores a subscription.
 */
const KEPT_DAYS = 7;

/** Stores a subscription; returns false if the session or the account has reached its limit. */
export async function subscribe(
  db: AnyDatabase,
  { accountId, listener }: Listener,
  { uri, now }: { readonly uri: string; readonly now: Date },
): Promise<boolean> {
  await sql`
    delete from tool_servers.subscription
    where account_id = ${accountId} and created_at < ${now}::timestamptz - ${KEPT_DAYS} * interval '1 day'
  `.execute(db);
  const { rows } = await sql`
    insert into tool_servers.subscription (account_id, listener, uri, created_at)
    select ${accountId}, ${listener}, ${uri}, ${now}::timestamptz
    where (
      select count(*) from tool_servers.subscription where account_id = ${accountId} and listener = ${listener} and uri <> ${uri}
    ) < ${MOST_SUBSCRIBED}
      and (
        select count(*) from tool_servers.subscription
        where account_id = ${accountId} and (listener <> ${listener} or uri <> ${uri})
      ) < ${MOST_OF_ACCOUNT}
    on conflict (account_id, listener, uri) do update set created_at = excluded.created_at
    returning uri
  `.execute(db);
  return rows.length > 0;
}

export async function unsubscribe(db: AnyDatabase, { accountId, listener }: Listener, uri: string): Promise<void> {
  await sql`
    delete from tool_servers.subscription where account_id = ${accountId} and listener = ${listener} and uri = ${uri}
  `.execute(db);
}

export async function listSubscribed(db: AnyDatabase, { accountId, listener }: Listener): Promise<string[]> {
  const { rows } = await sql<{ uri: string }>`
    select uri from tool_servers.subscription where account_id = ${accountId} and listener = ${listener} order by uri
  `.execute(db);
  return rows.map(({ uri }) => uri);
}
