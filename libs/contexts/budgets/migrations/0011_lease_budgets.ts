import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { LEASE } from './functions/0011_lease.ts';
import { RESERVE } from './functions/0011_reserve.ts';
import { SETTLE } from './functions/0011_settle.ts';

/**
 * A process may hold a part of budgets ahead of calls and grant them from it. A counter of the changes of an account's budgets, written
 * by triggers in the transaction of each change, says whether such a lease was made under the limits that hold for a call.
 */
export const leaseBudgets: Migration = {
  async up(db) {
    // Null in rows that processes of the version before write.
    await sql`alter table budgets.reservation add column is_lease boolean default false`.execute(db);
    await sql`create index reservation_lease_idx on budgets.reservation (account_id) where is_lease`.execute(db);
    await sql`
      create table budgets.revision (
        account_id uuid primary key,
        revision bigint not null
      )
    `.execute(db);
    await sql`grant select, insert, update on budgets.revision to steward_api_gateway`.execute(db);
    await sql`
      create function budgets.count_change() returns trigger language plpgsql as $$
      begin
        insert into budgets.revision as r (account_id, revision) values (coalesce(new.account_id, old.account_id), 1)
        on conflict (account_id) do update set revision = r.revision + 1;
        return null;
      end $$
    `.execute(db);
    for (const table of ['budget', 'merged_agent'])
      await sql`
        create trigger ${sql.raw(table)}_count_change after insert or update or delete on budgets.${sql.raw(table)}
        for each row execute function budgets.count_change()
      `.execute(db);
    // It answers one column more.
    await sql`drop function budgets.reserve(uuid, jsonb, timestamptz, timestamptz)`.execute(db);
    await sql.raw(RESERVE).execute(db);
    await sql.raw(SETTLE).execute(db);
    await sql.raw(LEASE).execute(db);
  },
};
