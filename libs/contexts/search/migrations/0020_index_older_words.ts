import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Words of chunks are derived in one more way (version 4). Nothing is rewritten here; the sweeper processes existing
 * chunks, and finds them by this index: without it each of its batches would read past all chunks that are already
 * reindexed.
 */
export const indexOlderWords: Migration = {
  async up(db) {
    await sql`
      create index chunk_words_below_4_index on search.chunk (account_id, occurred_at desc, id desc) where index_version < 4
    `.execute(db);
  },
};
