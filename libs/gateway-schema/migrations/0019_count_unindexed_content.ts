import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Rises under the row's lock with every transaction that stores content unindexed: whoever reads it sees all that was stored up to it. */
export const countUnindexedContent: Migration = {
  async up(db) {
    await sql`alter table gateway.unindexed_content add column generation bigint not null default 1`.execute(db);
  },
};
