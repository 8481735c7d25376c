import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Actions of a flow worker on executions, each by a function that checks the lease; its role no longer has rights on
 * the tables of this schema. The columns it may change are those that a function sets: not the account, not the flow,
 * not another session.
 */
const FUNCTIONS = [
  // Returns no row if the lease is lost, and true if a stop was requested.
  [
    'extend_lease(execution uuid, lease uuid, lease_seconds integer) returns setof boolean',
    `update flows.execution e set lease_until = now() + make_interval(secs => least(lease_seconds, 3600))
     where e.id = execution and e.lease_token = lease and e.status in ('INITIALIZING', 'RUNNING')
     returning e.stop_requested_at is not null`,
  ],
  [
    'mark_running(execution uuid, lease uuid, prompt text) returns setof boolean',
    `update flows.execution e set status = 'RUNNING', resolved_input_prompt = prompt
     where e.id = execution and e.lease_token = lease and e.status = 'INITIALIZING'
     returning true`,
  ],
  // The session is the one whose source is this execution, so the caller does not have to be trusted.
  [
    'attach_session(execution uuid, lease uuid) returns setof flows.execution',
    `update flows.execution e set runtime_session_id = s.id
     from gateway.runtime_session s
     where e.id = execution and e.lease_token = lease and e.status = 'INITIALIZING'
       and s.account_id = e.account_id and s.session_source_type = 'flow_execution' and s.session_source_id = e.id::text
     returning e.*`,
  ],
  // Returns the flow for its run, without the columns that contain the secret of its webhook.
  [
    'leased_flow(execution uuid, lease uuid) returns setof flows.flow',
    `select shown.*
     from flows.execution e join flows.flow f on f.id = e.flow_id and f.account_id = e.account_id
     cross join lateral json_populate_record(f.*,
       '{"webhook_secret_sealed": null, "webhook_secret_hash": null, "webhook_secret_hint": null}') shown
     where e.id = execution and e.lease_token = lease and e.lease_until > now() and e.status in ('INITIALIZING', 'RUNNING')`,
  ],
  [
    'leased_files(execution uuid, lease uuid) returns setof flows.execution_workspace_file',
    `select w.* from flows.execution e join flows.execution_workspace_file w on w.execution_id = e.id
     where e.id = execution and e.lease_token = lease and e.lease_until > now() and e.status in ('INITIALIZING', 'RUNNING')
     order by w.path`,
  ],
  // Locks the execution so that it can be ended. An expired lease that was not taken over is valid for these last
  // writes.
  [
    'lock_leased(execution uuid, lease uuid) returns setof flows.execution',
    `update flows.execution e set lease_until = greatest(e.lease_until, now() + interval '1 minute')
     where e.id = execution and e.lease_token = lease and e.status in ('INITIALIZING', 'RUNNING')
     returning e.*`,
  ],
  // Locks an execution whose worker is gone, so that the caller can end it; never one with a valid lease.
  [
    'lease_lost(lease uuid) returns setof flows.execution',
    `update flows.execution set lease_token = lease, lease_until = now() + interval '1 minute'
     where id = (
       select e.id from flows.execution e
       where e.status in ('INITIALIZING', 'RUNNING') and e.lease_until < now()
       order by e.lease_until limit 1 for update skip locked
     )
     returning *`,
  ],
  [
    `finish_execution(execution uuid, lease uuid, final_status text, category text, message text, outcome json, receipt json,
       ended_at timestamptz) returns setof flows.execution`,
    `update flows.execution e set
       status = final_status, failure_category = category, error_message = message, result = outcome,
       evidence_receipt = receipt, lease_token = null, lease_until = null, finished_at = ended_at
     where e.id = execution and e.lease_token = lease and e.lease_until > now() and e.status in ('INITIALIZING', 'RUNNING')
       and final_status in ('SUCCEEDED', 'FAILED', 'STOPPED')
     returning e.*`,
  ],
  // The number of hours after which a key expires.
  [
    'purge_idempotency_keys(most integer) returns setof bigint',
    `with gone as (
       delete from flows.idempotency_key where ctid in (
         select ctid from flows.idempotency_key where created_at < now() - interval '24 hours' limit most
       ) returning 1
     ) select count(*) from gone`,
  ],
] as const;

export const confineWorker: Migration = {
  async up(db) {
    for (const [head, body] of FUNCTIONS) {
      await sql`
        create function ${sql.raw(`flows.${head}`)}
        language plpgsql security definer set search_path = pg_catalog, pg_temp
        as ${sql.raw(`$$ begin return query ${body}; end $$`)}
      `.execute(db);
    }
    await grantFunctions(db);
    await sql`
      revoke all on flows.flow, flows.execution, flows.execution_workspace_file, flows.idempotency_key
      from steward_flow_trigger
    `.execute(db);
  },
};

async function grantFunctions(db: Kysely<unknown>): Promise<void> {
  for (const [head] of FUNCTIONS) {
    const name = sql.raw(`flows.${head.slice(0, head.indexOf('('))}`);
    await sql`revoke all on function ${name} from public`.execute(db);
    await sql`grant execute on function ${name} to steward_flow_trigger`.execute(db);
  }
}
