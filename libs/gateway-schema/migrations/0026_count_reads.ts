import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Reads of one reader within minutes are one row of the audit log, which is immutable: their count is stored
 * separately, with the row that further reads of this reader count for, over all processes.
 */
export const countReads: Migration = {
  async up(db) {
    await sql`
      create table gateway.audit_read_window (
        account_id uuid not null,
        -- SHA-256 of who read what.
        reader bytea not null constraint audit_read_window_reader_check check (octet_length(reader) = 32),
        audit_id uuid not null,
        opened_at timestamptz(3) not null,
        primary key (account_id, reader)
      )
    `.execute(db);
    await sql`create index audit_read_window_opened_at_idx on gateway.audit_read_window (opened_at)`.execute(db);
    await sql`
      create table gateway.audit_read_count (
        audit_id uuid primary key,
        reads integer not null constraint audit_read_count_reads_check check (reads > 0),
        last_read_at timestamptz(3) not null
      )
    `.execute(db);
    await sql`grant select, insert, update, delete on gateway.audit_read_window to steward_api_gateway`.execute(db);
    await sql`grant select, insert, update on gateway.audit_read_count to steward_api_gateway`.execute(db);
  },
};
