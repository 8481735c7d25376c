import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Words of chunks are derived in one more way (version 3). Nothing is rewritten here; the sweeper processes existing
 * chunks. The former index stays until no release looks for chunks below version 2.
 */
export const foldWords: Migration = {
  async up(db) {
    await sql`
      create index chunk_older_words_index on search.chunk (account_id, occurred_at desc, id desc) where index_version < 3
    `.execute(db);
  },
};
