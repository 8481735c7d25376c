import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Credentials of agents derive from their executions, not from claims of a worker: its role names an execution with its
 * lease and the hash of a token, and everything else is read from the rows. The permissions of an agent are a constant
 * of the gateway.
 */
export const mintExecutionToken: Migration = {
  async up(db) {
    await sql`alter table gateway.execution_token drop column permissions`.execute(db);
    // A later slice creates the tables that it reads; nothing calls it before they exist.
    await sql`
      create function gateway.issue_execution_token(token_id uuid, execution uuid, lease uuid, hash bytea) returns timestamptz
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      declare
        run record;
        expiry timestamptz;
      begin
        select * into run from flows.execution e
        where e.id = execution and e.lease_token = lease and e.lease_until > now()
          and e.status in ('INITIALIZING', 'RUNNING') and e.runtime_session_id is not null;
        if run.id is null then return null; end if;
        -- A minute more than the run may take: its end is told by the execution, this only bounds what was forgotten.
        select least(run.started_at + make_interval(secs => f.timeout_seconds + 60), now() + interval '25 hours') into expiry
        from flows.flow f where f.id = run.flow_id;
        if expiry is null then return null; end if;
        -- One agent, one credential.
        delete from gateway.execution_token t where t.execution_id = run.id;
        insert into gateway.execution_token
          (id, account_id, execution_id, runtime_session_id, flow_id, flow_name, token_hash, expires_at)
        values (token_id, run.account_id, run.id, run.runtime_session_id, run.flow_id, run.flow_name, hash, expiry);
        return expiry;
      end $$
    `.execute(db);
    await sql`revoke all on function gateway.issue_execution_token(uuid, uuid, uuid, bytea) from public`.execute(db);
    await sql`
      grant execute on function gateway.issue_execution_token(uuid, uuid, uuid, bytea) to steward_flow_trigger
    `.execute(db);
    await sql`revoke insert on gateway.execution_token from steward_flow_trigger`.execute(db);
  },
};
