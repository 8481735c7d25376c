import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createExecution: Migration = {
  async up(db) {
    await sql`
      create table flows.execution (
        id uuid primary key,
        account_id uuid not null,
        flow_id uuid not null,
        flow_name text not null,
        status text not null constraint execution_status_check
          check (status in ('PENDING', 'INITIALIZING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPED')),
        failure_category text constraint execution_failure_category_check
          check (failure_category in ('setup_failed', 'workspace_rejected', 'agent_error', 'tool_error', 'model_error',
            'timeout', 'cancelled', 'runner_error', 'unknown')),
        error_message text,
        trigger_type text not null constraint execution_trigger_type_check
          check (trigger_type in ('manual', 'webhook', 'tracker')),
        trigger_event_details json not null,
        resolved_input_prompt text,
        runtime_session_id uuid,
        result json,
        evidence_receipt json,
        -- Value at the flow's dedupe_path; cleared when a newer execution supersedes this one.
        dedupe_value text,
        retry_of_execution_id uuid,
        stop_requested_at timestamptz(3),
        -- Fences the worker that runs it: every later write of the run names the token.
        lease_token uuid,
        lease_until timestamptz(3),
        worker_id text,
        created_at timestamptz(3) not null default now(),
        started_at timestamptz(3),
        finished_at timestamptz(3),
        constraint execution_failure_check check (failure_category is null or status in ('FAILED', 'STOPPED')),
        constraint execution_finished_check check ((finished_at is not null) = (status in ('SUCCEEDED', 'FAILED', 'STOPPED')))
      ) with (fillfactor = 85)
    `.execute(db);
    await sql`create index execution_account_id_id_idx on flows.execution (account_id, id desc)`.execute(db);
    await sql`create index execution_flow_id_id_idx on flows.execution (flow_id, id desc)`.execute(db);
    // Claims and the reconciler read only these two indexes, whose size depends only on the work in progress.
    await sql`create index execution_pending_idx on flows.execution (created_at) where status = 'PENDING'`.execute(db);
    await sql`
      create index execution_leased_idx on flows.execution (lease_until) where status in ('INITIALIZING', 'RUNNING')
    `.execute(db);
    // At most one active execution per dedupe value, under any concurrency.
    await sql`
      create unique index execution_active_dedupe_key on flows.execution (flow_id, dedupe_value)
      where dedupe_value is not null and status in ('PENDING', 'INITIALIZING', 'RUNNING')
    `.execute(db);
    await sql`
      create table flows.execution_workspace_file (
        execution_id uuid not null,
        path text not null,
        account_id uuid not null,
        content bytea not null,
        primary key (execution_id, path)
      )
    `.execute(db);
    await sql`
      create table flows.idempotency_key (
        flow_id uuid not null,
        key_digest bytea not null,
        account_id uuid not null,
        body_digest bytea not null,
        execution_id uuid not null,
        created_at timestamptz(3) not null,
        primary key (flow_id, key_digest)
      )
    `.execute(db);
    await sql`create index idempotency_key_created_at_idx on flows.idempotency_key (created_at)`.execute(db);
    await sql`grant select, insert, update on flows.execution to steward_api_gateway, steward_flow_trigger`.execute(db);
    await sql`grant delete on flows.execution to steward_api_gateway`.execute(db);
    await sql`grant select, insert, delete on flows.execution_workspace_file to steward_api_gateway`.execute(db);
    await sql`grant select on flows.execution_workspace_file to steward_flow_trigger`.execute(db);
    await sql`grant select, insert, update, delete on flows.idempotency_key to steward_api_gateway`.execute(db);
    await sql`grant select, delete on flows.idempotency_key to steward_flow_trigger`.execute(db);
  },
};
