import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts of a backtest by rule and by former decision; null for backtests of versions that did not count them. */
export const countRules: Migration = {
  async up(db) {
    await sql`alter table policies.backtest add column counts jsonb`.execute(db);
  },
};
