import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createWatermark: Migration = {
  async up(db) {
    await sql`
      create table backfill.watermark (
        account_id uuid primary key,
        state text not null constraint watermark_state_check check (state in ('in_progress', 'complete')),
        -- Sessions are walked newest first; everything that started after this point is indexed.
        cursor_started_at timestamptz(3),
        cursor_session_id uuid,
        sources_written bigint not null default 0,
        last_pass_at timestamptz(3) not null,
        stop_reason text not null constraint watermark_stop_reason_check
          check (stop_reason in ('account_rows', 'pass_rows', 'pass_seconds', 'finished', 'failed')),
        completed_at timestamptz(3),
        constraint watermark_completed_check check ((completed_at is not null) = (state = 'complete'))
      )
    `.execute(db);
    await sql`grant usage on schema backfill to steward_api_gateway, steward_backfill_sweeper`.execute(db);
    await sql`grant select on backfill.schema_migration to steward_api_gateway, steward_backfill_sweeper`.execute(db);
    await sql`grant select on backfill.watermark to steward_api_gateway`.execute(db);
    await sql`grant select, insert, update on backfill.watermark to steward_backfill_sweeper`.execute(db);
  },
};
