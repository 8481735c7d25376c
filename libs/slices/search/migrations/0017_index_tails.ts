import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A long source has its head and its tail in the corpus; `tail_omitted` stands on the chunk that the gap follows. Of those that have
 * their head alone the mark of the masking is taken away, so that the sweeper makes them anew from what is stored.
 */
export const indexTails: Migration = {
  async up(db) {
    await sql`
      create index chunk_gap_index on search.chunk (account_id, occurred_at) where tail_omitted
    `.execute(db);
    await sql`update search.chunk set mask_version = 1 where tail_omitted`.execute(db);
  },
};
