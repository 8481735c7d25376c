import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds deleted sessions, and sessions that must not be deleted (ADR 0042). The row of a deleted session is removed at
 * once; the sweeper claims its dependent rows from this table and deletes them in small batches.
 */
export const deleteSession: Migration = {
  async up(db) {
    await sql`alter table gateway.runtime_session add column legal_hold boolean not null default false`.execute(db);
    await sql`
      create table gateway.session_deletion (
        account_id uuid not null,
        runtime_session_id uuid not null,
        requested_at timestamptz not null default clock_timestamp(),
        primary key (account_id, runtime_session_id)
      )
    `.execute(db);
    await sql`create index session_deletion_requested_index on gateway.session_deletion (requested_at)`.execute(db);
    await sql`grant insert on gateway.session_deletion to steward_api_gateway`.execute(db);

    // It updates no rows there: it locks the rows that it claims, and sessions before it writes chunks of them.
    const sweeper = sql.raw('steward_backfill_sweeper');
    await sql`grant select, insert, update, delete on gateway.session_deletion to ${sweeper}`.execute(db);
    await sql`grant update (updated_at), delete on gateway.runtime_session to ${sweeper}`.execute(db);
    await sql`grant delete on gateway.session_content to ${sweeper}`.execute(db);
    await sql`grant select (account_id, id), delete on gateway.operator_note to ${sweeper}`.execute(db);
  },
};
