import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

export const createApprovalWorkflow: Migration = {
  async up(db) {
    await sql`
      create table approvals.approval_workflow (
        id uuid primary key,
        account_id uuid not null,
        name text not null,
        description text not null default '',
        -- Both empty: everybody who may decide approvals.
        approver_user_ids uuid[] not null default '{}',
        approver_roles text[] not null default '{}',
        quorum smallint not null default 1 constraint approval_workflow_quorum_check check (quorum between 1 and 10),
        expires_seconds integer not null default 3600
          constraint approval_workflow_expires_check check (expires_seconds between 30 and 604800),
        approval_wait_seconds smallint not null default 120
          constraint approval_workflow_wait_check check (approval_wait_seconds between 0 and 300),
        require_comment boolean not null default false,
        allow_self_approval boolean not null default false,
        escalate_after_seconds integer,
        escalation_user_ids uuid[] not null default '{}',
        -- Entries of kind and url, as they are shown; their endpoints are kept by the webhooks.
        channel_configs jsonb not null default '[]',
        -- The older way to name one receiver.
        approval_webhook_url text,
        webhook_secret_hint text,
        is_default boolean not null default false,
        bypass_until timestamptz(3),
        bypass_reason text,
        bypass_user_id uuid,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        constraint approval_workflow_name_key unique (account_id, name),
        constraint approval_workflow_bypass_check
          check ((bypass_until is null) = (bypass_reason is null) and (bypass_until is null) = (bypass_user_id is null))
      )
    `.execute(db);
    await sql`
      create unique index approval_workflow_default on approvals.approval_workflow (account_id) where is_default
    `.execute(db);
    await sql`create index approval_workflow_of_account on approvals.approval_workflow (account_id, id desc)`.execute(
      db,
    );
    const gateway = sql.raw(APP_ROLES.apiGateway);
    await sql`grant select, insert, update, delete on approvals.approval_workflow to ${gateway}`.execute(db);
  },
};
