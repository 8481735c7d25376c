import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** For what is rare among many calls: a model nobody uses any more, and those that did not go well. */
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
