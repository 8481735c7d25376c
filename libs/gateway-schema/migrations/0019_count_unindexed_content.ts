import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The counter increases under the row's lock with every transaction that stores content unindexed: a reader of it sees
 * all content that was stored before.
 */
export const countUnindexedContent: Migration = {
  async up(db) {
    await sql`alter table gateway.unindexed_content add column generation bigint not null default 1`.execute(db);
  },
};
