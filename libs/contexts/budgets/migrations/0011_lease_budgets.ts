import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { LEASE } from './functions/0011_lease.ts';
import { RESERVE } from './functions/0011_reserve.ts';
import { SETTLE } from './functions/0011_settle.ts';

/**
 * A process may lease a part of budgets in advance and grant calls from it. A counter of the changes of an account's
 * budgets, written by triggers in the transaction of each change, shows whether such a lease was made under the limits
 * that apply to a call.
 */
export const leaseBudgets: Migration = {
  async up(db) {
    // Null in rows that processes of the previous version write.
    await sql`alter table budgets.reservation add column is_lease boolean default false`.execute(db);
    await sql`create index reservation_lease_idx on budgets.reservation (account_id) where is_lease`.execute(db);
    await sql`
      create table budgets.revision (
        account_id uuid primary key,
        revision bigint not null
      )
    `.execute(db);
    await sql`grant select, insert, update on budgets.revision to steward_api_gateway`.execute(db);
    await createCounters(db);
    await sql`
      create function budgets.leased(account uuid, budget uuid, start timestamptz) returns numeric
      language sql stable as $$
        select coalesce(sum(r.amount), 0) from budgets.reservation r
        where r.account_id = account and r.is_lease and r.state = 'held'
          and r.period_starts[array_position(r.budget_ids, budget)] = start
      $$
    `.execute(db);
    // It returns one more column.
    await sql`drop function budgets.reserve(uuid, jsonb, timestamptz, timestamptz)`.execute(db);
    await sql.raw(RESERVE).execute(db);
    await sql.raw(SETTLE).execute(db);
    await sql.raw(LEASE).execute(db);
  },
};

/** A budget that is being created counts nothing yet: it becomes visible and effective when it is opened. */
async function createCounters(db: Parameters<NonNullable<Migration['up']>>[0]): Promise<void> {
  await sql`
    create function budgets.count_change(account uuid) returns void language sql as $$
      insert into budgets.revision as r (account_id, revision) values (account, 1)
      on conflict (account_id) do update set revision = r.revision + 1
    $$
  `.execute(db);
  await sql`
    create function budgets.count_budget_change() returns trigger language plpgsql as $$
    begin
      if (case tg_op when 'DELETE' then old.opening_until else new.opening_until end) is null then
        perform budgets.count_change(coalesce(new.account_id, old.account_id));
      end if;
      return null;
    end $$
  `.execute(db);
  await sql`
    create function budgets.count_merge() returns trigger language plpgsql as $$
    begin
      perform budgets.count_change(coalesce(new.account_id, old.account_id));
      return null;
    end $$
  `.execute(db);
  await sql`
    create trigger budget_count_change after insert or update or delete on budgets.budget
    for each row execute function budgets.count_budget_change()
  `.execute(db);
  await sql`
    create trigger merged_agent_count_change after insert or update or delete on budgets.merged_agent
    for each row execute function budgets.count_merge()
  `.execute(db);
}
