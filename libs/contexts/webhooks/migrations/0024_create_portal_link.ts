import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Groups of endpoints, and links to a portal in which a customer manages the endpoints of one group. Only the hash of a
 * link's token is stored.
 */
export const createPortalLink: Migration = {
  async up(db) {
    await sql`alter table webhooks.endpoint add column group_name text`.execute(db);
    await sql`
      create table webhooks.portal_link (
        id uuid primary key,
        account_id uuid not null,
        token_hash bytea not null,
        group_name text not null check (char_length(group_name) between 1 and 100),
        -- Types to which endpoints of the portal may subscribe.
        event_types text[] not null check (cardinality(event_types) > 0),
        -- Origins of pages that may contain the portal in a frame.
        frame_origins text[] not null,
        created_by_user_id uuid not null,
        -- Null for a link that a signed-in user created.
        created_by_key_id uuid,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null
      )
    `.execute(db);
    await sql`create unique index portal_link_token on webhooks.portal_link (token_hash)`.execute(db);
    await sql`create index portal_link_account on webhooks.portal_link (account_id, id)`.execute(db);
    await sql`create index portal_link_expiry on webhooks.portal_link (expires_at)`.execute(db);
    await sql`grant select, insert, delete on webhooks.portal_link to steward_api_gateway`.execute(db);
    await sql`grant select (expires_at), delete on webhooks.portal_link to steward_webhook_dispatcher`.execute(db);
  },
};
