import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which models a key may call, and how much in minutes and days. */
export const limitApiKeys: Migration = {
  async up(db) {
    await sql`alter table gateway.api_key add column model_limits jsonb`.execute(db);
  },
};
