import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Stores whether an account's agents may act. A row stays after its release, as a record of when it was engaged. Other
 * schemas use the function in the statement that decides: a cached value would let calls through.
 */
export const createKillSwitch: Migration = {
  async up(db) {
    await sql`
      create table gateway.kill_switch (
        account_id uuid primary key references gateway.account (id) on delete cascade,
        engaged boolean not null,
        reason text,
        changed_at timestamptz(3) not null,
        changed_by uuid not null
      )
    `.execute(db);
    await sql`
      create function gateway.is_halted(account uuid) returns boolean
      language sql stable security definer set search_path = pg_catalog, pg_temp as $$
        select exists (select from gateway.kill_switch s where s.account_id = account and s.engaged)
      $$
    `.execute(db);
    await sql`revoke all on function gateway.is_halted(uuid) from public`.execute(db);
    await sql`grant execute on function gateway.is_halted(uuid) to steward_api_gateway`.execute(db);
    await sql`grant select, insert, update on gateway.kill_switch to steward_api_gateway`.execute(db);
  },
};
