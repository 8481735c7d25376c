import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stores which model of an account creates session titles, and the text that a title was created from (SESS-38). */
export const askForTitles: Migration = {
  async up(db) {
    await sql`
      create table gateway.title_setting (
        account_id uuid primary key,
        ai_model_id uuid not null,
        updated_at timestamptz(3) not null
      )
    `.execute(db);
    await sql`alter table gateway.runtime_session add column title_asked_of text`.execute(db);
    await sql`grant select, insert, update, delete on gateway.title_setting to steward_api_gateway`.execute(db);
  },
};
