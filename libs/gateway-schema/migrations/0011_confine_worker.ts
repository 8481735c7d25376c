import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A flow worker reads and writes only rows of the execution whose lease it presents: it sets execution and token in two
 * settings of its transaction, and the token is the proof. The policies restrict its role only; for every other role
 * the grants decide as before.
 */
export const confineWorker: Migration = {
  async up(db) {
    // Evaluated once per statement if it is a subquery of its own. A later slice creates the tables of executions.
    await sql`
      create function gateway.leased(out account_id uuid, out execution_id uuid, out session_id uuid)
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
      begin
        select e.account_id, e.id, coalesce(e.runtime_session_id, (
          -- Not yet noted on the execution while its session is being opened.
          select s.id from gateway.runtime_session s
          where s.account_id = e.account_id and s.session_source_type = 'flow_execution' and s.session_source_id = e.id::text
        ))
        into account_id, execution_id, session_id
        from flows.execution e
        where e.id = nullif(current_setting('steward.execution', true), '')::uuid
          and e.lease_token = nullif(current_setting('steward.lease', true), '')::uuid
          and e.lease_until > now() and e.status in ('INITIALIZING', 'RUNNING');
      end $$
    `.execute(db);
    await sql`revoke all on function gateway.leased() from public`.execute(db);
    await sql`grant execute on function gateway.leased() to steward_flow_trigger`.execute(db);

    for (const [table, condition] of CONFINED) {
      const name = sql.id('gateway', table);
      await sql`alter table ${name} enable row level security`.execute(db);
      await sql`create policy granted on ${name} using (true)`.execute(db);
      await sql`
        create policy leased on ${name} as restrictive to steward_flow_trigger using (${sql.raw(condition)})
      `.execute(db);
    }

    // The worker writes content and never reads it.
    await sql`revoke select on gateway.session_content from steward_flow_trigger`.execute(db);
    await sql`
      grant select (account_id, id, runtime_session_id, external_id) on gateway.session_content to steward_flow_trigger
    `.execute(db);
    await sql`revoke insert on gateway.audit_log from steward_flow_trigger`.execute(db);
    await sql`revoke all on gateway.execution_token from steward_flow_trigger`.execute(db);
    // Cleanup: the gateway checks the execution as well.
    await sql`
      create function gateway.revoke_execution_tokens(execution uuid) returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        delete from gateway.execution_token t
        where t.execution_id = execution and not exists (
          select from flows.execution e where e.id = execution and e.status in ('INITIALIZING', 'RUNNING')
        );
      end $$
    `.execute(db);
    await sql`revoke all on function gateway.revoke_execution_tokens(uuid) from public`.execute(db);
    await sql`
      grant execute on function gateway.revoke_execution_tokens(uuid) to steward_api_gateway, steward_flow_trigger
    `.execute(db);
  },
};

const CONFINED = [
  [
    'runtime_session',
    `session_source_type = 'flow_execution'
     and (account_id, session_source_id) = (select l.account_id, l.execution_id::text from gateway.leased() l)`,
  ],
  ['session_content', `(account_id, runtime_session_id) = (select l.account_id, l.session_id from gateway.leased() l)`],
  ['unindexed_content', `account_id = (select l.account_id from gateway.leased() l)`],
] as const;
