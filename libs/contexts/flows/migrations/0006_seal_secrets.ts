import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Sealed secrets of flows: values that `agent_config.env` and the URL of a repository held in plaintext (their columns
 * keep names and the URL without user and password), and named secrets that several flows refer to. The gateway, which
 * has the key, moves stored plaintext.
 */
export const sealSecrets: Migration = {
  async up(db) {
    // Sealed with the flow's id as context.
    await sql`alter table flows.flow add column agent_secrets_sealed bytea`.execute(db);
    await sql`
      create table flows.secret (
        account_id uuid not null,
        name text not null,
        -- Sealed with account and name as context: moved to another name it does not open.
        value_sealed bytea not null,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (account_id, name)
      )
    `.execute(db);
    await sql`grant select, insert, update, delete on flows.secret to steward_api_gateway`.execute(db);
    // Secrets of a run for the worker that holds its lease: those of its flow (without a name) and the named ones it
    // requests.
    await sql`
      create function flows.leased_secrets(execution uuid, lease uuid, names text[])
      returns table (account_id uuid, flow_id uuid, name text, sealed bytea)
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        return query
          with leased as (
            select e.account_id as account, e.flow_id as flow from flows.execution e
            where e.id = execution and e.lease_token = lease and e.lease_until > now()
              and e.status in ('INITIALIZING', 'RUNNING')
          )
          select f.account_id, f.id, null::text, f.agent_secrets_sealed
          from leased join flows.flow f on f.id = leased.flow and f.account_id = leased.account
          where f.agent_secrets_sealed is not null
          union all
          select s.account_id, leased.flow, s.name, s.value_sealed
          from leased join flows.secret s on s.account_id = leased.account and s.name = any (names);
      end $$
    `.execute(db);
    await sql`revoke all on function flows.leased_secrets(uuid, uuid, text[]) from public`.execute(db);
    await sql`grant execute on function flows.leased_secrets(uuid, uuid, text[]) to steward_flow_trigger`.execute(db);
  },
};
