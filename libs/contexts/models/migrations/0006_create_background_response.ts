import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Responses that continue at their provider after their call was answered: their owner, and the data for the usage row
 * at their end.
 */
export const createBackgroundResponse: Migration = {
  async up(db) {
    await sql`
      create table models.background_response (
        account_id uuid not null,
        -- Of the call: its reservation and its usage row have the same.
        call_id uuid not null,
        -- As the provider names it.
        response_id text not null constraint background_response_id_check check (length(response_id) between 1 and 255),
        -- Who made it, and may read it.
        owner text not null,
        model_id uuid not null,
        model_alias text not null,
        -- What its usage row is made of: only whoever kept it reads this.
        call jsonb not null,
        created_at timestamptz(3) not null,
        -- Null: its end was seen, and is booked.
        next_look_at timestamptz(3),
        misses integer not null default 0,
        primary key (account_id, call_id)
      )
    `.execute(db);
    await sql`
      create index background_response_name_idx on models.background_response (account_id, response_id)
    `.execute(db);
    await sql`
      create index background_response_look_idx on models.background_response (next_look_at) where next_look_at is not null
    `.execute(db);
    await sql`create index background_response_age_idx on models.background_response (created_at)`.execute(db);
    await sql`
      grant select, insert, update, delete on models.background_response to steward_api_gateway
    `.execute(db);
  },
};
