import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

export const createPolicyVersion: Migration = {
  async up(db) {
    // Versions are history: no role may change or delete one.
    await sql`
      create table policies.policy_version (
        account_id uuid not null,
        version integer not null constraint policy_version_version_check check (version > 0),
        -- As applied, byte for byte, and what it was written in.
        source_text text not null,
        format text not null constraint policy_version_format_check check (format in ('yaml', 'json')),
        -- What it says.
        document jsonb not null,
        message text,
        rolled_back_to integer,
        created_by uuid,
        created_at timestamptz(3) not null default now(),
        primary key (account_id, version)
      )
    `.execute(db);
    // The version in force, read with every decision; no row until the first is applied.
    await sql`
      create table policies.policy_head (
        account_id uuid primary key,
        version integer not null constraint policy_head_version_check check (version >= 0)
      )
    `.execute(db);
    const gateway = sql.raw(APP_ROLES.apiGateway);
    await sql`grant usage on schema policies to ${gateway}`.execute(db);
    await sql`grant select on policies.schema_migration to ${gateway}`.execute(db);
    await sql`grant select, insert on policies.policy_version to ${gateway}`.execute(db);
    await sql`grant select, insert, update on policies.policy_head to ${gateway}`.execute(db);
  },
};
