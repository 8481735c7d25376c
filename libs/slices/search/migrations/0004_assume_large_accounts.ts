import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const PARTITIONS = 16;

/**
 * A kept plan is made for an average account. Among thousands of tiny accounts that is one of a few rows, whose rows the
 * planner would rather collect and filter than look up a word: on an account of 100,000 chunks that takes a second. With
 * so few accounts assumed in a partition, a plan suits those it matters for. Estimates for an account stay what they
 * are where it is among the thousand most common of its partition, and are at most those of the last of them elsewhere.
 */
export const assumeLargeAccounts: Migration = {
  async up(db) {
    for (let index = 0; index < PARTITIONS; index += 1) {
      const name = sql.id('search', `chunk_p${String(index).padStart(2, '0')}`);
      await sql`alter table ${name} alter column account_id set (n_distinct = 50)`.execute(db);
      // It counts from the next analysis on, which a large table may not see for weeks.
      await sql`analyze ${name} (account_id)`.execute(db);
    }
  },
};
