import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Sessions that are deleted, and those that must not be (ADR 0042). The row of a deleted session goes at once; what hangs on
 * it goes in small batches, claimed from here by the sweeper.
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

    // Updates nothing there: it locks what it claims, and sessions that it is about to write chunks of.
    const sweeper = sql.raw('steward_backfill_sweeper');
    await sql`grant select, insert, update, delete on gateway.session_deletion to ${sweeper}`.execute(db);
    await sql`grant update (updated_at), delete on gateway.runtime_session to ${sweeper}`.execute(db);
    await sql`grant delete on gateway.session_content to ${sweeper}`.execute(db);
    await sql`grant select (account_id, id), delete on gateway.operator_note to ${sweeper}`.execute(db);
  },
};
