import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An index that shows whether the content of a time range was captured: an empty result has to state if it was not. */
export const indexMetadataOnly: Migration = {
  async up(db) {
    await sql`
      create index chunk_metadata_only_index on search.chunk (account_id, occurred_at)
      where redaction_state = 'metadata_only'
    `.execute(db);
  },
};
