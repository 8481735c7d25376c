import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/**
 * Deliveries that were given up while the breaker of their endpoint was closed, counted by endpoint and hour: notices
 * about them are made from these rows, at most two for each.
 */
export const countGivenUp: Migration = {
  async up(db) {
    await sql`
      create table webhooks.given_up (
        endpoint_id uuid not null,
        hour timestamptz(0) not null,
        account_id uuid not null,
        first_at timestamptz(3) not null default now(),
        deliveries integer not null,
        -- Number of them that a notice has reported.
        told integer not null default 0,
        response_status integer,
        error text,
        primary key (endpoint_id, hour)
      )
    `.execute(db);
    await sql`create index given_up_hour on webhooks.given_up (hour)`.execute(db);
    await sql`
      grant select, insert, update, delete on webhooks.given_up to ${sql.raw(APP_ROLES.webhookDispatcher)}
    `.execute(db);
  },
};
