import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The sessions an API key stored content in, one index entry apart: a key pasted into the search names them all. */
export const indexApiKey: Migration = {
  async up(db) {
    await sql`
      create index chunk_api_key_index on search.chunk (account_id, api_key_id, runtime_session_id)
      where api_key_id is not null
    `.execute(db);
  },
};
