import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

/** Objects that no row names any more: one object, or all objects of a session. */
export interface DueRemoval {
  readonly accountId: string;
  readonly sessionId: string;
  /** Key of the object; undefined for all objects of the session. */
  readonly key: string | undefined;
}

interface SessionKey {
  readonly accountId: string;
  readonly sessionId: string;
}

/** Value of `object_key` for all objects of a session. */
const ALL_OF_SESSION = '';
/** Time in seconds after which a removal is tried again if the process that began it has not finished it. */
const RETRY_SECONDS = 300;

/** Records that the objects of a deleted session have to be removed. */
export async function noteSessionRemoval(trx: AnyTransaction, { accountId, sessionId }: SessionKey): Promise<void> {
  await sql`
    insert into gateway.content_removal (account_id, runtime_session_id, object_key)
    values (${accountId}, ${sessionId}, ${ALL_OF_SESSION}) on conflict do nothing
  `.execute(trx);
}

/**
 * Claims the removal that has waited longest; if it is not finished, it is due again after some minutes. The objects of
 * a session are removed only after its last row was deleted: until then, bodies may still be moved.
 */
export async function claimRemoval(db: AnyDatabase): Promise<DueRemoval | undefined> {
  const { rows } = await sql<SessionKey & { readonly object_key: string }>`
    update gateway.content_removal removal set due_at = clock_timestamp() + make_interval(secs => ${RETRY_SECONDS})
    from (
      select account_id, runtime_session_id, object_key from gateway.content_removal r
      where due_at <= clock_timestamp() and not exists (
        select from gateway.session_deletion d
        where d.account_id = r.account_id and d.runtime_session_id = r.runtime_session_id
      )
      order by due_at limit 1 for update skip locked
    ) due
    where removal.account_id = due.account_id and removal.runtime_session_id = due.runtime_session_id
      and removal.object_key = due.object_key
    returning removal.account_id as "accountId", removal.runtime_session_id as "sessionId", removal.object_key
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { object_key: key, ...session } = row;
  return { ...session, key: key === ALL_OF_SESSION ? undefined : key };
}

export async function deleteRemoval(db: AnyDatabase, { accountId, sessionId, key }: DueRemoval): Promise<void> {
  await sql`
    delete from gateway.content_removal
    where account_id = ${accountId} and runtime_session_id = ${sessionId} and object_key = ${key ?? ALL_OF_SESSION}
  `.execute(db);
}

/** Returns the number of removals that have not been finished, counted up to `most`. */
export async function countRemovals(db: AnyDatabase, most: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (select from gateway.content_removal limit ${most}) counted
  `.execute(db);
  return rows[0]?.waiting ?? 0;
}
