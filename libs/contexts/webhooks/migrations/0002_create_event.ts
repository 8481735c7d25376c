import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Stored events. `body` contains the exact bytes that are signed and sent on every attempt and replay: bytea, because
 * jsonb reorders keys. Not partitioned, because the key has to deduplicate an event emitted on different days.
 */
export const createEvent: Migration = {
  async up(db) {
    await sql`
      create table webhooks.event (
        account_id uuid not null,
        id uuid not null,
        type text not null,
        version text not null default '1',
        occurred_at timestamptz(3) not null,
        body bytea not null,
        truncated boolean not null default false,
        -- Last generation made by a replay; locked while one is made, so that a double click gives two generations.
        generation integer not null default 1,
        created_at timestamptz(3) not null default now(),
        primary key (account_id, id)
      ) with (fillfactor = 90)
    `.execute(db);
    await sql`create index event_created on webhooks.event (created_at)`.execute(db);
  },
};
