import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The beginning of what a receiver answers is kept with the attempt, for endpoints that ask for it. */
export const keepAnswers: Migration = {
  async up(db) {
    await sql`alter table webhooks.endpoint add column keeps_answers boolean not null default false`.execute(db);
    await sql`alter table webhooks.attempt add column answer text`.execute(db);
  },
};
