import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createAuditLog: Migration = {
  async up(db) {
    await sql`
      create table gateway.audit_log (
        id uuid primary key,
        account_id uuid not null,
        occurred_at timestamptz(3) not null,
        actor_kind text not null constraint audit_log_actor_kind_check
          check (actor_kind in ('user', 'api_key', 'agent', 'system', 'anonymous')),
        actor_id text,
        source text not null constraint audit_log_source_check check (source in ('console', 'mcp', 'system', 'webhook')),
        action text not null,
        resource_type text not null,
        resource_id text,
        status text not null constraint audit_log_status_check check (status in ('success', 'denied', 'failure')),
        details json not null,
        request_id text
      )
    `.execute(db);
    await sql`create index audit_log_account_id_id_idx on gateway.audit_log (account_id, id desc)`.execute(db);
    await sql`
      create index audit_log_account_id_resource_idx on gateway.audit_log (account_id, resource_type, action, id desc)
    `.execute(db);
    // No update and no delete: audit entries are permanent.
    await sql`grant select, insert on gateway.audit_log to steward_api_gateway`.execute(db);
    await sql`grant insert on gateway.audit_log to steward_flow_trigger`.execute(db);
  },
};
