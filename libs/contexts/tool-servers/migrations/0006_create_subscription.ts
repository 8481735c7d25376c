import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Resources that clients of the revisions before 2026 subscribed to: they subscribe in one request, and listen in
 * another.
 */
export const createSubscription: Migration = {
  async up(db) {
    await sql`
      create table tool_servers.subscription (
        account_id uuid not null,
        -- Of the session of the client, with its credential.
        listener bytea not null,
        uri text not null constraint subscription_uri_check check (length(uri) <= 2100),
        created_at timestamptz(3) not null,
        primary key (account_id, listener, uri)
      )
    `.execute(db);
    await sql`grant select, insert, update, delete on tool_servers.subscription to steward_api_gateway`.execute(db);
  },
};
