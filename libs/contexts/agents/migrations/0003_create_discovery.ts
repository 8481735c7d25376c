import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Agents that workstations report, as hashes with a salt of the account. */
export const createDiscovery: Migration = {
  async up(db) {
    await sql`
      create table agents.discovery_setting (
        account_id uuid primary key,
        is_enabled boolean not null default false,
        salt bytea not null check (octet_length(salt) = 32),
        updated_at timestamptz(3) not null
      )
    `.execute(db);
    await sql`
      create table agents.candidate (
        account_id uuid not null,
        id uuid not null,
        workstation_fingerprint text not null check (workstation_fingerprint ~ '^[0-9a-f]{64}$'),
        agent_kind text not null,
        config_path_hash text not null check (config_path_hash ~ '^[0-9a-f]{64}$'),
        agent_version text,
        mcp_server_count integer not null,
        enrolled boolean not null,
        os_family text not null check (os_family in ('darwin', 'linux', 'windows', 'other')),
        status text not null check (status in ('new', 'onboarded', 'ignored')),
        agent_id uuid,
        first_seen_at timestamptz(3) not null,
        last_seen_at timestamptz(3) not null,
        primary key (account_id, id),
        unique (account_id, workstation_fingerprint, agent_kind, config_path_hash),
        foreign key (account_id, agent_id) references agents.agent (account_id, id),
        check ((status = 'onboarded') = (agent_id is not null))
      )
    `.execute(db);
    await sql`create index candidate_seen_index on agents.candidate (last_seen_at)`.execute(db);
    await sql`grant select, insert, update on agents.discovery_setting to steward_api_gateway`.execute(db);
    await sql`grant select, insert, update, delete on agents.candidate to steward_api_gateway`.execute(db);
  },
};
