import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const PARTITIONS = 16;

/**
 * A cached plan is made for an average account. Among thousands of tiny accounts, the average account has a few rows,
 * which the planner would collect and filter instead of looking up a word: for an account of 100,000 chunks, this takes
 * a second. If fewer accounts are assumed per partition, plans suit large accounts. Estimates stay accurate for the
 * thousand largest accounts of a partition; for the others, they are at most that of the smallest of these.
 */
export const assumeLargeAccounts: Migration = {
  async up(db) {
    for (let index = 0; index < PARTITIONS; index += 1) {
      const name = sql.id('search', `chunk_p${String(index).padStart(2, '0')}`);
      await sql`alter table ${name} alter column account_id set (n_distinct = 50)`.execute(db);
      // It takes effect with the next analysis, which a large table may not see for weeks.
      await sql`analyze ${name} (account_id)`.execute(db);
    }
  },
};
