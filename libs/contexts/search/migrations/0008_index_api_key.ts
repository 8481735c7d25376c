import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The sessions that an API key stored content in, by one index: a key id in the search finds them all. */
export const indexApiKey: Migration = {
  async up(db) {
    await sql`
      create index chunk_api_key_index on search.chunk (account_id, api_key_id, runtime_session_id)
      where api_key_id is not null
    `.execute(db);
  },
};
