import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Logins at the authorization servers of tool servers: started ones and their results. Tokens are sealed. */
export const createLogin: Migration = {
  async up(db) {
    await sql`
      create table tool_servers.begun_login (
        id uuid primary key,
        -- Of the word that comes back with the person.
        state_hash bytea not null constraint begun_login_state_key unique,
        account_id uuid not null,
        server_id uuid not null,
        -- Nobody else ends it.
        user_id uuid not null,
        target_version integer not null,
        login_sealed bytea not null,
        expires_at timestamptz(3) not null,
        foreign key (account_id, server_id) references tool_servers.server (account_id, id) on delete cascade
      )
    `.execute(db);
    await sql`create index begun_login_server on tool_servers.begun_login (account_id, server_id)`.execute(db);
    await sql`
      create table tool_servers.granted_login (
        account_id uuid not null,
        server_id uuid not null,
        login_sealed bytea not null,
        -- Another one with each token: of two processes one renews it.
        version integer not null default 1,
        renewing_until timestamptz(3),
        issuer text not null,
        scope text,
        expires_at timestamptz(3),
        connected_by uuid not null,
        connected_at timestamptz(3) not null,
        has_ended boolean not null default false,
        primary key (account_id, server_id),
        foreign key (account_id, server_id) references tool_servers.server (account_id, id) on delete cascade
      )
    `.execute(db);
    await sql`
      grant select, insert, update, delete on tool_servers.begun_login, tool_servers.granted_login to steward_api_gateway
    `.execute(db);
  },
};
