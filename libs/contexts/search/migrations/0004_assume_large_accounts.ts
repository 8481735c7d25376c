import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const PARTITIONS = 16;

/**
 * A cached plan is made for an average account. Among thousands of tiny accounts that is one with a few rows, which the
 * planner would rather collect and filter than look up a word: on an account of 100,000 chunks that takes a second.
 * With fewer accounts assumed in a partition, plans suit large accounts. Estimates stay accurate for the thousand most
 * common accounts of a partition, and are at most those of the last of them for the others.
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
