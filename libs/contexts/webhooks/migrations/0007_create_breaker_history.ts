import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

const { apiGateway, webhookDispatcher } = APP_ROLES;

/** Shows why a delivery was not sent: the result of each attempt, and the changes of the endpoint's breaker. */
export const createBreakerHistory: Migration = {
  async up(db) {
    await sql`
      alter table webhooks.attempt
        -- When the attempt after this one was put down for; null after the last.
        add column next_attempt_at timestamptz(3),
        add column is_probe boolean not null default false
    `.execute(db);
    await sql`
      create table webhooks.breaker_move (
        endpoint_id uuid not null,
        account_id uuid not null,
        moved_at timestamptz(3) not null,
        from_state text not null check (from_state in ('closed', 'open', 'half_open')),
        to_state text not null check (to_state in ('closed', 'open', 'half_open')),
        reason text not null
          check (reason in ('failures', 'cooldown_over', 'probe_succeeded', 'probe_failed', 'endpoint_changed')),
        consecutive_failures integer not null
      )
    `.execute(db);
    await sql`create index breaker_move_endpoint on webhooks.breaker_move (endpoint_id, moved_at)`.execute(db);
    await sql`create index breaker_move_moved on webhooks.breaker_move (moved_at)`.execute(db);
    await sql`grant select, insert on webhooks.breaker_move to ${sql.raw(apiGateway)}`.execute(db);
    await sql`grant select, insert, delete on webhooks.breaker_move to ${sql.raw(webhookDispatcher)}`.execute(db);
  },
};
