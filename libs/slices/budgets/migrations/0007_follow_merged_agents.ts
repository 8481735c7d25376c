import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const RESERVE = 'budgets.reserve(uuid, jsonb, timestamptz, timestamptz)';
const SETTLE = 'budgets.settle(uuid, jsonb, uuid[], boolean)';

/** The agent that a row names, as what it is by now: with a join, since a function is called once for each row. */
const joinMerged = (row: string) =>
  `left join budgets.merged_agent m on m.account_id = account and m.agent_id = ${row}.managed_agent_id`;
const byNow = (row: string) => `coalesce(m.merged_into, ${row}.managed_agent_id)`;

/** Pieces of the two functions, each with what takes its place. */
const CHANGES: readonly (readonly [name: string, from: string, to: string])[] = [
  [RESERVE, 'managed_agent_id text, flow_id text)', `managed_agent_id text, flow_id text) ${joinMerged('r')}`],
  [RESERVE, '(r.managed_agent_id), ', `(${byNow('r')}), `],
  [RESERVE, 'select r.*, ', `select r.*, ${byNow('r')} as agent_by_now, `],
  [RESERVE, 'e.value) r', `e.value) r ${joinMerged('r')}`],
  [RESERVE, 'request_id := request.id;', 'request_id := request.id; request.managed_agent_id := request.agent_by_now;'],
  ...['s', 't'].map((row) => [SETTLE, ` ${row}.managed_agent_id, `, ` ${byNow(row)} as managed_agent_id, `] as const),
  [SETTLE, 'from settlement s where', `from settlement s ${joinMerged('s')} where`],
  [SETTLE, 'from taken t where', `from taken t ${joinMerged('t')} where`],
];

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
    for (const [name, from, to] of CHANGES)
      await sql`
        do ${sql.raw(`$do$
        declare
          former text := pg_get_functiondef('${name}'::regprocedure);
          pieces text[] := string_to_array(former, '${from}');
        begin
          if cardinality(pieces) <> 2 then raise exception '${name} is not the function of the migrations before'; end if;
          execute pieces[1] || '${to}' || pieces[2];
        end $do$`)}
      `.execute(db);
  },
};
