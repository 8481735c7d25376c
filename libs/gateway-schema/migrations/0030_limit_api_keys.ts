import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the models that a key may call, and its limits per minute and day. */
export const limitApiKeys: Migration = {
  async up(db) {
    await sql`alter table gateway.api_key add column model_limits jsonb`.execute(db);
  },
};
