import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What was spent before there was a budget is summed up while calls go on: until it is there the budget counts what ends, as one
 * that is not enabled, and nobody sees it.
 */
export const openBudgetsLate: Migration = {
  async up(db) {
    // Later than that whoever was making it has died.
    await sql`alter table budgets.budget add column opening_until timestamptz(3)`.execute(db);
  },
};
