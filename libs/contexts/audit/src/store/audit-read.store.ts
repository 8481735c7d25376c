import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { READ_WINDOW_MS, type OpenedRead, type PreparedRead } from '../operations/prepare-read.ts';
import { tables } from '../schema.ts';
import { buildAuditInsert } from './audit-insert.store.ts';
import { writeRows } from './audit-log.store.ts';

/**
 * Records reads in one statement. Returns the row that covers each read; a row is inserted if no row from the last ten
 * minutes covers the read. If several processes do this concurrently, one of them inserts the row. The results are in
 * the order of `reads`.
 *
 * @param reads - At most one read per `reader` (the key from `identifyRead`).
 */
export async function recordReads(db: AnyDatabase, reads: readonly PreparedRead[]): Promise<OpenedRead[]> {
  const given = writeRows(reads.map(({ row, reader }) => ({ ...row, reader })));
  const isOpen = sql`own.opened_at > excluded.opened_at - make_interval(secs => ${READ_WINDOW_MS / 1000})`;
  const { rows } = await sql<{ reader: string; audit_id: string; opened_at: Date }>`
    with given as materialized (
      select * from json_to_recordset(${given}::json) as given (
        reader text, id uuid, account_id uuid, occurred_at timestamptz, actor_kind text, actor_id text, source text, action text,
        resource_type text, resource_id text, status text, details json, request_id text)
    ), opened as (
      insert into gateway.audit_read_window as own (account_id, reader, audit_id, opened_at)
      select account_id, decode(reader, 'hex'), id, occurred_at from (select * from given order by account_id, reader) given
      on conflict (account_id, reader) do update set
        audit_id = case when ${isOpen} then own.audit_id else excluded.audit_id end,
        opened_at = case when ${isOpen} then own.opened_at else excluded.opened_at end
      returning account_id, reader, audit_id, opened_at
    ), counted as (
      insert into gateway.audit_read_count as own (audit_id, reads, last_read_at)
      select opened.audit_id, 1, given.occurred_at
      from opened join given on given.account_id = opened.account_id and decode(given.reader, 'hex') = opened.reader
      order by opened.audit_id
      on conflict (audit_id) do update set
        reads = own.reads + 1, last_read_at = greatest(own.last_read_at, excluded.last_read_at)
    ), recorded as (
      ${sql.raw(
        buildAuditInsert(`select given.id, given.account_id, given.occurred_at, given.actor_kind, given.actor_id, given.source,
          given.action, given.resource_type, given.resource_id, given.status, given.details, given.request_id
          from given join opened on opened.audit_id = given.id on conflict (id) do nothing`),
      )}
    )
    select encode(reader, 'hex') as reader, audit_id, opened_at from opened
  `.execute(db);
  const opened = new Map(rows.map((row) => [row.reader, { auditId: row.audit_id, openedAt: row.opened_at }]));
  return reads.map(({ reader }) => opened.get(reader) as OpenedRead);
}

/** Further reads that are added to a row: their number, and the time of the last one. */
export interface ReadCount {
  readonly auditId: string;
  readonly reads: number;
  readonly lastReadAt: Date;
}

/**
 * Adds counts to rows in one statement; each row may be given only once. Rows are locked in a consistent order, so that
 * processes cannot deadlock.
 */
export async function countReads(db: AnyDatabase, counts: readonly ReadCount[]): Promise<void> {
  const given = JSON.stringify(counts.map(({ auditId, reads, lastReadAt }) => ({ auditId, reads, lastReadAt })));
  await sql`
    insert into gateway.audit_read_count as own (audit_id, reads, last_read_at)
    select "auditId", reads, "lastReadAt"
    from json_to_recordset(${given}::json) as given ("auditId" uuid, reads integer, "lastReadAt" timestamptz)
    order by "auditId"
    on conflict (audit_id) do update set
      reads = own.reads + excluded.reads, last_read_at = greatest(own.last_read_at, excluded.last_read_at)
  `.execute(db);
}

/** Removes expired windows; their rows and counts are retained. Returns the number of removed windows. */
export async function purgeReadWindows(db: AnyDatabase, now: Date): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('gateway.audit_read_window')
    .where('opened_at', '<', new Date(now.getTime() - 2 * READ_WINDOW_MS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
