import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Permissions of the system roles as released with this migration; a later change needs a further migration. */
const READER = [
  'view_runtime_sessions',
  'view_policies',
  'view_flows',
  'view_approvals',
  'decide_approvals',
  'view_agents',
];
const EXECUTOR = [...READER, 'manage_runtime_sessions', 'execute_flows'];
const EDITOR = [
  ...EXECUTOR,
  'manage_policies',
  'create_flows',
  'edit_flows',
  'delete_flows',
  'manage_approval_workflows',
  'manage_agents',
  'control_managed_agent',
];
const ADMIN = [...EDITOR, 'manage_users', 'manage_budgets', 'search_session_content', 'view_audit_logs'];
export const SYSTEM_ROLE_PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  owner: ADMIN,
  admin: ADMIN,
  editor: EDITOR,
  executor: EXECUTOR,
  tracker_manager: ['view_flows', 'view_agents'],
  analyst: [...READER, 'search_session_content', 'view_audit_logs'],
  viewer: READER,
};

export const createIdentity: Migration = {
  async up(db) {
    await sql`
      create table gateway.account (
        id uuid primary key,
        name text not null,
        created_at timestamptz(3) not null default now()
      )
    `.execute(db);
    await sql`
      create table gateway.role (
        id uuid primary key,
        -- Null for the system roles, which every account has.
        account_id uuid,
        name text not null,
        permissions text[] not null,
        created_at timestamptz(3) not null default now(),
        constraint role_name_check check (name = lower(name) and name ~ '^[a-z0-9][a-z0-9_. -]{0,49}$')
      )
    `.execute(db);
    await sql`create unique index role_system_name_key on gateway.role (name) where account_id is null`.execute(db);
    await sql`create unique index role_account_id_name_key on gateway.role (account_id, name) where account_id is not null`.execute(
      db,
    );
    for (const [name, permissions] of Object.entries(SYSTEM_ROLE_PERMISSIONS)) {
      await sql`
        insert into gateway.role (id, account_id, name, permissions)
        values (gen_random_uuid(), null, ${name}, ${[...permissions].sort()})
      `.execute(db);
    }
    await sql`
      create table gateway.user_account (
        id uuid primary key,
        account_id uuid not null references gateway.account (id),
        username text not null,
        email text not null,
        full_name text,
        password_hash text not null,
        role_id uuid not null references gateway.role (id),
        is_active boolean not null default true,
        -- Tokens carry it; raising it ends every session of the user.
        token_generation integer not null default 0,
        created_at timestamptz(3) not null default now()
      )
    `.execute(db);
    await sql`create unique index user_account_username_key on gateway.user_account (lower(username))`.execute(db);
    await sql`create unique index user_account_email_key on gateway.user_account (lower(email))`.execute(db);
    await sql`create index user_account_account_id_id_idx on gateway.user_account (account_id, id desc)`.execute(db);
    await sql`
      create table gateway.api_key (
        id uuid primary key,
        account_id uuid not null,
        user_id uuid not null references gateway.user_account (id),
        name text not null,
        -- SHA-256 of the key: 256 random bits need no slow hash, and a request must find it by index.
        key_hash bytea not null constraint api_key_key_hash_key unique,
        hint text not null,
        scopes text[] not null,
        runtime_principal_type text,
        runtime_principal_id text,
        runtime_principal_name text,
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        revoked_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        constraint api_key_runtime_principal_check check ((runtime_principal_type is null) = (runtime_principal_id is null))
      )
    `.execute(db);
    await sql`create index api_key_account_id_id_idx on gateway.api_key (account_id, id desc)`.execute(db);
    await sql`create index api_key_user_id_idx on gateway.api_key (user_id)`.execute(db);
    await sql`
      -- Failed logins of the current minute; unlogged: losing it in a crash forgives a minute of failures.
      create unlogged table gateway.login_failure (
        bucket bytea primary key,
        window_start timestamptz(3) not null,
        failures integer not null
      )
    `.execute(db);
    await sql`grant usage on schema gateway to steward_api_gateway, steward_flow_trigger, steward_backfill_sweeper`.execute(
      db,
    );
    await sql`
      grant select on gateway.schema_migration to steward_api_gateway, steward_flow_trigger, steward_backfill_sweeper
    `.execute(db);
    await sql`
      grant select, insert, update on gateway.account, gateway.role, gateway.user_account, gateway.api_key to steward_api_gateway
    `.execute(db);
    await sql`grant select, insert, update, delete on gateway.login_failure to steward_api_gateway`.execute(db);
    // The backfill processes history account by account.
    await sql`grant select on gateway.account to steward_backfill_sweeper`.execute(db);
  },
};
