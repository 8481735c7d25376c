import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createFlow: Migration = {
  async up(db) {
    await sql`
      create table flows.flow (
        id uuid primary key,
        account_id uuid not null,
        name text not null,
        description text,
        is_enabled boolean not null,
        trigger text not null constraint flow_trigger_check check (trigger in ('manual', 'webhook', 'tracker')),
        prompt_template text not null,
        ai_model_id text,
        agent_type text not null constraint flow_agent_type_check check (agent_type in ('command', 'builtin')),
        agent_config json not null,
        allowed_tools text[] not null,
        -- supersede_on_update and dedupe_path; the secret has columns of its own.
        webhook_config json not null,
        webhook_secret_sealed bytea,
        webhook_secret_hash bytea,
        webhook_secret_hint text,
        git_clone_config json,
        setup_commands text[] not null,
        timeout_seconds integer not null constraint flow_timeout_seconds_check check (timeout_seconds between 60 and 86400),
        evidence json,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        constraint flow_account_id_name_key unique (account_id, name),
        constraint flow_webhook_secret_check check ((webhook_secret_sealed is null) = (webhook_secret_hash is null))
      )
    `.execute(db);
    await sql`create index flow_account_id_id_idx on flows.flow (account_id, id desc)`.execute(db);
    await sql`grant usage on schema flows to steward_api_gateway, steward_flow_trigger`.execute(db);
    await sql`grant select on flows.schema_migration to steward_api_gateway, steward_flow_trigger`.execute(db);
    await sql`grant select, insert, update, delete on flows.flow to steward_api_gateway`.execute(db);
    // The right is granted column by column, because a worker runs flows but never needs to decrypt a webhook secret.
    await sql`
      grant select (id, account_id, name, description, is_enabled, trigger, prompt_template, ai_model_id, agent_type,
        agent_config, allowed_tools, webhook_config, git_clone_config, setup_commands, timeout_seconds, evidence,
        created_at, updated_at)
      on flows.flow to steward_flow_trigger
    `.execute(db);
  },
};
