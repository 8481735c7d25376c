import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const RESERVE = 'budgets.reserve(uuid, jsonb, timestamptz, timestamptz)';
const SETTLE = 'budgets.settle(uuid, jsonb, uuid[], boolean)';

/** A call that was under way when its agent was merged into another names the one that is no more: what it spends is the other's. */
export const followMergedAgents: Migration = {
  async up(db) {
    await sql`
      create table budgets.merged_agent (
        account_id uuid not null,
        agent_id text not null,
        -- What it is by now: the end of a chain.
        merged_into text not null,
        primary key (account_id, agent_id)
      )
    `.execute(db);
    await sql`grant select, insert, update on budgets.merged_agent to steward_api_gateway`.execute(db);
    await sql`
      create function budgets.agent_of(account uuid, agent text) returns text language plpgsql stable as $$
        begin
          return coalesce(
            (select m.merged_into from budgets.merged_agent m where m.account_id = account and m.agent_id = agent), agent
          );
        end $$
    `.execute(db);
    await change(
      db,
      RESERVE,
      '(r.managed_agent_id), (r.flow_id)',
      '(budgets.agent_of(account, r.managed_agent_id)), (r.flow_id)',
    );
    const next = 'request_id := request.id;';
    const resolved = 'request.managed_agent_id := budgets.agent_of(account, request.managed_agent_id);';
    await change(db, RESERVE, next, `${next}\n        ${resolved}`);
    for (const row of ['s', 't']) {
      const key = `${row}.occurred_at, ${row}.api_key_id, `;
      await change(
        db,
        SETTLE,
        `${key}${row}.managed_agent_id`,
        `${key}budgets.agent_of(account, ${row}.managed_agent_id) as managed_agent_id`,
      );
    }
  },
};

async function change(db: Kysely<unknown>, name: string, from: string, to: string): Promise<void> {
  await sql`
    do ${sql.raw(`$do$
      declare
        former text := pg_get_functiondef('${name}'::regprocedure);
        changed text := replace(former, '${from}', '${to}');
      begin
        if changed = former then raise exception '${name} is not the function of the migrations before'; end if;
        execute changed;
      end $do$`)}
  `.execute(db);
}
