import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes for rare rows among many calls: those of a model that is no longer used, and failed calls. */
export const indexUsage: Migration = {
  async up(db) {
    await sql`create index usage_model_alias_idx on models.usage (account_id, model_alias, occurred_at, id)`.execute(
      db,
    );
    await sql`
      create index usage_status_idx on models.usage (account_id, status, occurred_at, id) where status <> 'ok'
    `.execute(db);
  },
};
