import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Shows at once whether content was not captured in a time range: an empty result has to say so. */
export const indexMetadataOnly: Migration = {
  async up(db) {
    await sql`
      create index chunk_metadata_only_index on search.chunk (account_id, occurred_at)
      where redaction_state = 'metadata_only'
    `.execute(db);
  },
};
