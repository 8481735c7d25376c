import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An index of the sessions in which an API key stored content: a search for the id of the key finds all of them. */
export const indexApiKey: Migration = {
  async up(db) {
    await sql`
      create index chunk_api_key_index on search.chunk (account_id, api_key_id, runtime_session_id)
      where api_key_id is not null
    `.execute(db);
  },
};
