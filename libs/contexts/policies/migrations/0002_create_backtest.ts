import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

export const createBacktest: Migration = {
  async up(db) {
    await sql`
      create table policies.backtest (
        id uuid primary key,
        account_id uuid not null,
        status text not null default 'queued'
          constraint backtest_status_check check (status in ('queued', 'running', 'finished', 'failed')),
        -- The document asked about; null for the version below.
        document jsonb,
        version integer not null,
        since timestamptz(3) not null,
        until timestamptz(3) not null,
        call_limit integer not null,
        -- The newest call that was not looked at yet stands before this one.
        cursor_occurred_at timestamptz(3),
        cursor_id uuid,
        examined integer not null default 0,
        without_arguments integer not null default 0,
        allowed integer not null default 0,
        denied integer not null default 0,
        held integer not null default 0,
        changed integer not null default 0,
        changed_examples jsonb not null default '[]',
        failure text,
        -- Times the work on it was begun without an end.
        attempts integer not null default 0,
        due_at timestamptz(3) not null default now(),
        created_by uuid,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        constraint backtest_finished_check check ((finished_at is not null) = (status in ('finished', 'failed')))
      )
    `.execute(db);
    await sql`
      create index backtest_due on policies.backtest (due_at, id) where status in ('queued', 'running')
    `.execute(db);
    await sql`create index backtest_of_account on policies.backtest (account_id, id desc)`.execute(db);
    const gateway = sql.raw(APP_ROLES.apiGateway);
    await sql`grant select, insert, update, delete on policies.backtest to ${gateway}`.execute(db);
  },
};
