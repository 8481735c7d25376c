import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Returns the ids of the listeners, including deleted ones, for which events are stored. */
export async function listFilledListeners(db: AnyDatabase): Promise<string[]> {
  const { rows } = await sql<{ listener_id: string }>`
    with recursive filled as (
      (select listener_id from webhooks.listener_event order by listener_id limit 1)
      union all
      select (
        select n.listener_id from webhooks.listener_event n where n.listener_id > f.listener_id
        order by n.listener_id limit 1
      ) from filled f where f.listener_id is not null
    )
    select listener_id from filled where listener_id is not null
  `.execute(db);
  return rows.map((row) => row.listener_id);
}

/**
 * Deletes rows whose transaction id this database has not assigned yet: such rows were restored from a dump of another
 * database, and no reader receives them. Returns the number of deleted rows.
 */
export async function deleteForeignListenerEvents(db: AnyDatabase, listenerId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhooks.listener_event
    where listener_id = ${listenerId} and xid >= pg_snapshot_xmax(pg_current_snapshot())
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}

export interface ListenerBounds {
  readonly eventHours: number;
  readonly events: number;
}

/**
 * Deletes one batch of the oldest rows of a listener: rows that are too old or exceed the maximum number, and all rows
 * of a deleted listener. Records in the listener's row the id of the newest transaction whose events were deleted.
 * Returns the number of deleted rows.
 */
export async function deleteOldListenerEvents(
  db: AnyDatabase,
  listenerId: string,
  { eventHours, events }: ListenerBounds,
  batchSize: number,
): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with state as (
      select
        exists (select from webhooks.listener where endpoint_id = ${listenerId}) as is_there,
        (select n.xid from webhooks.listener_event n where n.listener_id = ${listenerId}
          order by n.xid desc, n.event_id desc offset ${events} limit 1) as last_surplus
    ), gone as (
      delete from webhooks.listener_event n using (
        select listener_id, xid, event_id, created_at from webhooks.listener_event
        where listener_id = ${listenerId} order by xid, event_id limit ${batchSize}
      ) oldest, state
      where n.listener_id = oldest.listener_id and n.xid = oldest.xid and n.event_id = oldest.event_id
        and (not state.is_there or n.xid <= state.last_surplus
          or n.created_at < now() - make_interval(hours => ${eventHours}))
      returning n.xid
    ), noted as (
      update webhooks.listener set dropped_xid = greatest(
        case when dropped_xid < pg_snapshot_xmax(pg_current_snapshot()) then dropped_xid end,
        (select xid from gone order by xid desc limit 1)
      )
      where endpoint_id = ${listenerId} and exists (select from gone)
    )
    select count(*)::int as deleted from gone
  `.execute(db);
  return rows[0]?.deleted ?? 0;
}

/**
 * Deletes listeners that have not been used for this number of days; `deleteOldListenerEvents` then deletes their
 * stored events.
 */
export async function deleteUnseenListeners(db: AnyDatabase, days: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from webhooks.listener where seen_at < now() - make_interval(days => ${days}) returning endpoint_id
    ), endpoints as (
      delete from webhooks.endpoint e using gone where e.id = gone.endpoint_id
    )
    select count(*)::int as deleted from gone
  `.execute(db);
  return rows[0]?.deleted ?? 0;
}
