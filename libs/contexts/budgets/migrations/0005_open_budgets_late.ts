import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Spend from before a budget existed is summed up while calls go on: until the sum is there, the budget counts calls
 * that end, like a disabled one, and is not visible.
 */
export const openBudgetsLate: Migration = {
  async up(db) {
    // After that time the process that was creating it has died.
    await sql`alter table budgets.budget add column opening_until timestamptz(3)`.execute(db);
  },
};
