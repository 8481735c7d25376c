import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Calls in flight, and what each reserves in which bucket. */
export const createReservation: Migration = {
  async up(db) {
    await sql`
      create table budgets.reservation (
        account_id uuid not null,
        -- Of the call: its usage row has the same.
        id uuid not null,
        state text not null constraint reservation_state_check check (state in ('held', 'assumed')),
        amount numeric(24, 12) not null,
        occurred_at timestamptz(3) not null,
        api_key_id text,
        managed_agent_id text,
        flow_id text,
        model_alias text,
        budget_ids uuid[] not null,
        period_starts timestamptz(3)[] not null,
        -- What is told of the call if its process dies: only whoever booked it reads this.
        call jsonb not null,
        alive_until timestamptz(3) not null,
        primary key (account_id, id)
      )
    `.execute(db);
    await sql`create index reservation_alive_idx on budgets.reservation (state, alive_until)`.execute(db);
    await sql`grant select, insert, update, delete on budgets.reservation to steward_api_gateway`.execute(db);
  },
};
