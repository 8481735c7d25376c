import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds deletions of many sessions: a cursor in the account's list of sessions that advances with each batch (ADR 0042).
 */
export const createDeletionJob: Migration = {
  async up(db) {
    await sql`
      create table gateway.session_deletion_job (
        account_id uuid not null,
        id uuid not null,
        -- Null once it is through: what somebody looked for may be what had to go.
        filters jsonb,
        dry_run boolean not null,
        -- Who deletes, for the rows of the audit log.
        actor_kind text not null,
        actor_id text,
        matched integer not null default 0,
        deleted integer not null default 0,
        kept_legal_hold integer not null default 0,
        kept_execution_active integer not null default 0,
        -- The last session it came to, newest start first.
        cursor_started_at timestamptz(3),
        cursor_session_id uuid,
        -- Sessions that are stored later are none of its matter.
        created_at timestamptz(3) not null default clock_timestamp(),
        -- Jobs take turns.
        advanced_at timestamptz not null default clock_timestamp(),
        finished_at timestamptz(3),
        primary key (account_id, id),
        constraint session_deletion_job_cursor_check check ((cursor_started_at is null) = (cursor_session_id is null)),
        constraint session_deletion_job_filters_check check ((filters is null) = (finished_at is not null))
      )
    `.execute(db);
    await sql`
      create index session_deletion_job_waiting_index on gateway.session_deletion_job (advanced_at) where finished_at is null
    `.execute(db);
    await sql`
      create index session_deletion_job_finished_index on gateway.session_deletion_job (finished_at)
      where finished_at is not null
    `.execute(db);
    await sql`grant select, insert on gateway.session_deletion_job to steward_api_gateway`.execute(db);
    await sql`grant select, update, delete on gateway.session_deletion_job to steward_backfill_sweeper`.execute(db);
    await sql`grant select (id), insert on gateway.audit_log to steward_backfill_sweeper`.execute(db);
  },
};
