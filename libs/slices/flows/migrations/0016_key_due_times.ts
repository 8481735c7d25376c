import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** As it was, but for the key: a line break is in no header, so no client has a trigger with the key of a due time. */
const INSERT_DUE_EXECUTION = `
  create or replace function flows.insert_due_execution(f flows.flow, due timestamptz, late_seconds integer, due_local text, execution uuid,
    audit uuid, trace text) returns boolean
  language plpgsql set search_path = pg_catalog, pg_temp as $$
  declare
    said text := to_char(due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    key bytea := sha256(convert_to(E'schedule\\n' || to_char(due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'UTF8'));
  begin
    insert into flows.idempotency_key (flow_id, key_digest, account_id, body_digest, execution_id, created_at)
      values (f.id, key, f.account_id, key, execution, now())
      on conflict (flow_id, key_digest) do nothing;
    if not found then return false; end if;
    insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, created_at,
        traceparent, reporting)
      values (execution, f.account_id, f.id, f.name, 'PENDING', 'schedule', json_build_object(
        'source', 'schedule', 'type', 'schedule',
        'received_at', to_char(flows.schedule_clock() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'payload', json_build_object('due_at', said, 'due_local', due_local,
          'time_zone', coalesce(f.schedule_config->>'time_zone', 'UTC'), 'late_by_seconds', late_seconds, 'run_now', false)
      ), now(), trace, f.reporting);
    insert into gateway.audit_log (id, account_id, occurred_at, actor_kind, actor_id, source, action, resource_type, resource_id,
        status, details, request_id)
      values (audit, f.account_id, now(), 'system', null, 'system', 'trigger', 'flow', f.id::text, 'success',
        json_build_object('execution_id', execution, 'due_at', said), null);
    return true;
  end $$`;

export const keyDueTimes: Migration = {
  async up(db) {
    await sql.raw(INSERT_DUE_EXECUTION).execute(db);
  },
};
