import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The tool servers of accounts. The headers of their requests are sealed. */
export const createServer: Migration = {
  async up(db) {
    await sql`
      create table tool_servers.server (
        account_id uuid not null,
        id uuid not null,
        name text not null
          constraint server_name_check check (name ~ '^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$'),
        transport text not null constraint server_transport_check check (transport in ('streamable_http')),
        url text not null,
        headers_sealed bytea,
        is_enabled boolean not null default true,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (account_id, id),
        constraint server_name_key unique (account_id, name)
      )
    `.execute(db);
    await sql`grant select, insert, update, delete on tool_servers.server to steward_api_gateway`.execute(db);
  },
};
