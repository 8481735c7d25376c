import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Spend from the time before a budget existed is summed up while calls continue: until the sum is complete, the budget
 * counts calls that end, like a disabled budget, and is not visible.
 */
export const openBudgetsLate: Migration = {
  async up(db) {
    // After this time, the process that was creating the budget is considered dead.
    await sql`alter table budgets.budget add column opening_until timestamptz(3)`.execute(db);
  },
};
