import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { parsePlace, type Place } from '../rules/place.ts';
import type { Position } from '../rules/position.ts';

const READING = sql`
  pg_current_snapshot()::text as snapshot, webhooks.history() as history,
  floor(extract(epoch from now()) * 1000)::bigint as at_ms`;

export interface ListenerEventRow {
  readonly event_id: string;
  /** Id of the transaction: a bigint, as a string. */
  readonly xid: string;
  /** Type of the event; like the body, null if the event was deleted in the meantime. */
  readonly type: string | null;
  readonly body: Buffer | null;
  readonly traceparent: string | null;
}

/** The state of the database from which rows were read. */
interface Reading {
  /** The snapshot of transactions. */
  readonly snapshot: string;
  /** System and timeline of the history; null if the server does not report them. */
  readonly history: string | null;
  /** Time in milliseconds: a bigint, as a string. */
  readonly at_ms: string;
}

export interface ListenerPage extends Reading {
  /** Newest transaction of this database whose events are no longer retained: a bigint, as a string. */
  readonly dropped_xid: string;
  readonly rows: readonly ListenerEventRow[];
}

/**
 * Reads the events that the given position does not include, in the order of transactions. Only whole transactions are
 * read, so the result may contain more than `limit` rows. Returns undefined if there is no such listener. Uses one
 * statement and therefore one snapshot. Rows of transactions that the database has never had were restored from a dump
 * of another database and are excluded, since no snapshot would ever contain these transactions.
 */
export async function readListenerPage(
  db: AnyDatabase,
  listener: { readonly accountId: string; readonly id: string },
  place: string,
  limit: number,
): Promise<ListenerPage | undefined> {
  const { rows } = await sql<Omit<ListenerPage, 'rows'> & Partial<ListenerEventRow>>`
    select l.snapshot, l.history, l.at_ms, l.dropped_xid, r.* from (
      select endpoint_id, account_id, ${READING},
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
  const { snapshot, history, at_ms, dropped_xid } = first;
  return { snapshot, history, at_ms, dropped_xid, rows: events };
}

/** Returns the position after all existing events. */
export async function readCurrentPosition(db: AnyDatabase): Promise<Position> {
  const { rows } = await sql<Reading>`select ${READING}`.execute(db);
  const [reading] = rows;
  if (reading === undefined) throw new Error('the database returned no snapshot');
  return toPosition(reading);
}

/** Returns the position of a reader that has read everything in this state of the database. */
export function toPosition({ snapshot, history, at_ms: atMs }: Reading): Position {
  const place = parsePlace(snapshot);
  if (place === undefined) throw new Error(`no snapshot: ${snapshot}`);
  const [system, timeline] = history?.split('.') ?? [];
  const isKnown = system !== undefined && timeline !== undefined;
  return { place, history: isKnown ? { system, timeline, atMs: Number(atMs) } : undefined };
}

/** Returns the first transaction that wrote an event of the listener since this time, and the snapshot of the query. */
export async function findFirstSince(
  db: AnyDatabase,
  listenerId: string,
  since: Date,
): Promise<{ readonly xid: bigint | undefined; readonly read: Place }> {
  const { rows } = await sql<Reading & { xid: string | null }>`
    select ${READING}, (
      select n.xid from webhooks.listener_event n
      where n.listener_id = ${listenerId} and n.created_at >= ${since}
        and n.xid < pg_snapshot_xmax(pg_current_snapshot())
      order by n.xid limit 1
    ) as xid
  `.execute(db);
  const [first] = rows;
  if (first === undefined) throw new Error('the database returned no snapshot');
  return { xid: first.xid === null ? undefined : BigInt(first.xid), read: toPosition(first).place };
}
