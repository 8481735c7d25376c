import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface ListenerEventRow {
  readonly event_id: string;
  /** Id of the transaction: a bigint, as a string. */
  readonly xid: string;
  /** Type of the event; like the body, null if the event was deleted in the meantime. */
  readonly type: string | null;
  readonly body: Buffer | null;
  readonly traceparent: string | null;
}

export interface ListenerPage {
  /** The snapshot from which the rows were read. */
  readonly snapshot: string;
  /** Newest transaction of this database whose events are no longer retained: a bigint, as a string. */
  readonly dropped_xid: string;
  readonly rows: readonly ListenerEventRow[];
}

/**
 * Reads the events that the given position does not include, in the order of transactions: only whole transactions, so
 * it may return more than `limit` rows. Returns undefined if there is no such listener. Uses one statement and
 * therefore one snapshot. Rows of transactions that the database has never had were restored from a dump of another
 * database and are excluded, since no snapshot would ever contain these transactions.
 */
export async function readListenerPage(
  db: AnyDatabase,
  listener: { readonly accountId: string; readonly id: string },
  place: string,
  limit: number,
): Promise<ListenerPage | undefined> {
  const { rows } = await sql<Omit<ListenerPage, 'rows'> & Partial<ListenerEventRow>>`
    select l.snapshot, l.dropped_xid, r.* from (
      select endpoint_id, account_id, pg_current_snapshot()::text as snapshot,
        case when dropped_xid < pg_snapshot_xmax(pg_current_snapshot()) then dropped_xid else '0' end as dropped_xid
      from webhooks.listener where account_id = ${listener.accountId} and endpoint_id = ${listener.id}
    ) l left join lateral (
      select a.event_id, a.xid, v.type, v.body, v.traceparent
      from (
        select n.event_id, n.xid from webhooks.listener_event n
        where n.listener_id = l.endpoint_id and n.xid >= pg_snapshot_xmin(${place}::pg_snapshot)
          and n.xid < pg_snapshot_xmax(pg_current_snapshot())
          and not pg_visible_in_snapshot(n.xid, ${place}::pg_snapshot)
        order by n.xid fetch first ${limit} rows with ties
      ) a left join webhooks.event v on v.account_id = l.account_id and v.id = a.event_id
    ) r on true
    order by r.xid, r.event_id
  `.execute(db);
  const [first] = rows;
  if (first === undefined) return undefined;
  const events = rows.filter((row): row is typeof row & ListenerEventRow => typeof row.xid === 'string');
  return { snapshot: first.snapshot, dropped_xid: first.dropped_xid, rows: events };
}

/** Returns the position after all existing events. */
export async function readCurrentPlace(db: AnyDatabase): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(db);
  return rows[0]?.snapshot ?? '';
}
