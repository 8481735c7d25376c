import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

const { apiGateway, webhookDispatcher } = APP_ROLES;

/**
 * Recoveries of dead deliveries: one row per request, processed in batches. A batch and its position are committed
 * together, so a crash repeats nothing and loses nothing.
 */
export const createRecovery: Migration = {
  async up(db) {
    await sql`
      create table webhooks.recovery_job (
        id uuid primary key,
        account_id uuid not null,
        -- Null: every endpoint of the account.
        endpoint_id uuid,
        since timestamptz(3) not null,
        until timestamptz(3) not null,
        matched integer not null check (matched >= 0),
        queued integer not null default 0 check (queued >= 0),
        -- Last delivery looked at; the next batch begins after it.
        after_id uuid,
        next_run_at timestamptz(3) not null default now(),
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        check (since < until)
      )
    `.execute(db);
    await sql`create index recovery_job_due on webhooks.recovery_job (next_run_at) where finished_at is null`.execute(
      db,
    );
    await sql`create index recovery_job_finished on webhooks.recovery_job (finished_at) where finished_at is not null`.execute(
      db,
    );

    await sql`grant select, insert on webhooks.recovery_job to ${sql.raw(apiGateway)}`.execute(db);
    const dispatcher = sql.raw(webhookDispatcher);
    await sql`grant select, delete on webhooks.recovery_job to ${dispatcher}`.execute(db);
    await sql`grant update (queued, after_id, next_run_at, finished_at) on webhooks.recovery_job to ${dispatcher}`.execute(
      db,
    );
    await sql`grant insert on webhooks.delivery to ${dispatcher}`.execute(db);
    await sql`grant update (generation) on webhooks.event to ${dispatcher}`.execute(db);
  },
};
