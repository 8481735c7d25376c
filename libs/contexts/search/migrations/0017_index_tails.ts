import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A long source has its head and its tail in the corpus; `tail_omitted` marks the chunk before the gap. Sources with
 * only their head lose their mask version, so that the sweeper rebuilds them from the stored content.
 */
export const indexTails: Migration = {
  async up(db) {
    await sql`
      create index chunk_gap_index on search.chunk (account_id, occurred_at) where tail_omitted
    `.execute(db);
    await sql`update search.chunk set mask_version = 1 where tail_omitted`.execute(db);
  },
};
