import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** For endpoints with this setting, the beginning of the receiver's response is stored with the attempt. */
export const keepAnswers: Migration = {
  async up(db) {
    await sql`alter table webhooks.endpoint add column keeps_answers boolean not null default false`.execute(db);
    await sql`alter table webhooks.attempt add column answer text`.execute(db);
  },
};
