import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

/** Resolves the agent of a row through merges, with a join, since a function would be called once per row. */
const joinMerged = (row: string) =>
  `left join budgets.merged_agent m on m.account_id = account and m.agent_id = ${row}.managed_agent_id`;
const byNow = (row: string) => `coalesce(m.merged_into, ${row}.managed_agent_id)`;

/** A call in flight when its agent was merged into another names the merged one: its spend counts for the other. */
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
    await changeFunction(db, 'budgets.reserve(uuid, jsonb, timestamptz, timestamptz)', [
      ['managed_agent_id text, flow_id text)', `managed_agent_id text, flow_id text) ${joinMerged('r')}`],
      ['(r.managed_agent_id), ', `(${byNow('r')}), `],
      ['select r.*, ', `select r.*, ${byNow('r')} as agent_by_now, `],
      ['e.value) r', `e.value) r ${joinMerged('r')}`],
      ['request_id := request.id;', 'request_id := request.id; request.managed_agent_id := request.agent_by_now;'],
    ]);
    await changeFunction(db, 'budgets.settle(uuid, jsonb, uuid[], boolean)', [
      [' s.managed_agent_id, ', ` ${byNow('s')} as managed_agent_id, `],
      [' t.managed_agent_id, ', ` ${byNow('t')} as managed_agent_id, `],
      ['from settlement s where', `from settlement s ${joinMerged('s')} where`],
      ['from taken t where', `from taken t ${joinMerged('t')} where`],
    ]);
  },
};
