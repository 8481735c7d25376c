import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stores how a person recognises a login to end it: the client that started it, and its last use. */
export const describeLogin: Migration = {
  async up(db) {
    await sql`
      alter table gateway.login
        add column is_browser boolean not null default false,
        add column client text constraint login_client_check check (char_length(client) <= 300),
        -- Its newest refresh token; null until there is a second.
        add column refreshed_at timestamptz(3)
    `.execute(db);
  },
};
