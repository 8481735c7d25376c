import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A description as its server wrote it: `jsonb` has an order of keys of its own, and models read descriptions in the order they come in.
 * The hash tells whether the text is of the description that stands beside it, which a release before writes alone.
 */
export const keepDefinitionText: Migration = {
  async up(db) {
    await sql`alter table tool_servers.tool add column definition_text text, add column text_hash bytea`.execute(db);
  },
};
