import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tools of an account's servers, as last seen. */
export const createTool: Migration = {
  async up(db) {
    await sql`
      alter table tool_servers.server
        add column status text not null default 'unknown'
          constraint server_status_check check (status in ('unknown', 'ok', 'failing')),
        add column last_error text,
        add column tools_seen_at timestamptz(3),
        -- When any process of the API asks it for its tools next.
        add column refresh_at timestamptz(3) not null default now(),
        -- Another one with each save of the address or the headers: a refresh that began before it counts no more.
        add column target_version integer not null default 1,
        -- Another one with each change of what its tools are.
        add column catalogue_version integer not null default 1
    `.execute(db);
    await sql`create index server_refresh on tool_servers.server (refresh_at) where is_enabled`.execute(db);
    await sql`
      create table tool_servers.tool (
        account_id uuid not null,
        server_id uuid not null,
        name text not null,
        definition jsonb not null,
        definition_hash bytea not null,
        -- What was agreed to: the first that was seen, or what somebody accepted since.
        accepted_hash bytea not null,
        accepted_definition jsonb not null,
        -- A tool that its server took away keeps what was accepted of it: it cannot come back as another.
        is_offered boolean not null default true,
        first_seen_at timestamptz(3) not null,
        changed_at timestamptz(3) not null,
        primary key (account_id, server_id, name),
        foreign key (account_id, server_id) references tool_servers.server (account_id, id) on delete cascade
      )
    `.execute(db);
    await sql`grant select, insert, update, delete on tool_servers.tool to steward_api_gateway`.execute(db);
  },
};
