import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Agents of an account, and each enrollment of one. Retired agents stay, because the history names them. */
export const createAgent: Migration = {
  async up(db) {
    await sql`
      create table agents.agent (
        account_id uuid not null,
        id uuid not null,
        agent_kind text not null,
        display_name text not null,
        session_source_type text,
        session_source_id text,
        owner_user_id uuid,
        tags text[] not null default '{}',
        enrolled_via text not null check (enrolled_via in ('operator_registration', 'discovery', 'runtime')),
        lifecycle_state text not null default 'active' check (lifecycle_state in ('active', 'suspended', 'retired')),
        lifecycle_reason text,
        merged_into uuid,
        merged_since_onboarding boolean not null default false,
        last_seen_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (account_id, id),
        foreign key (account_id, merged_into) references agents.agent (account_id, id),
        check ((session_source_type is null) = (session_source_id is null)),
        check (merged_into is null or lifecycle_state = 'retired')
      )
    `.execute(db);
    await sql`
      create unique index agent_source_index on agents.agent (account_id, session_source_type, session_source_id)
    `.execute(db);
    await sql`create index agent_merged_index on agents.agent (account_id, merged_into) where merged_into is not null`.execute(
      db,
    );
    await sql`
      create table agents.enrollment (
        account_id uuid not null,
        id uuid not null,
        agent_id uuid not null,
        enrollment_type text not null,
        adapter_key text,
        target_config_path text,
        status text not null check (status in ('pending', 'applied', 'validated', 'failed', 'restored')),
        gateway_routed boolean not null,
        mcp_rewritten boolean not null,
        mcp_server_count integer not null,
        candidate_id uuid,
        message text,
        onboarded_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (account_id, id),
        foreign key (account_id, agent_id) references agents.agent (account_id, id)
      )
    `.execute(db);
    await sql`create index enrollment_agent_index on agents.enrollment (account_id, agent_id, id)`.execute(db);
    await sql`grant select, insert, update on agents.agent, agents.enrollment to steward_api_gateway`.execute(db);
  },
};
