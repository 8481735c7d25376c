import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A description as its server wrote it: `jsonb` has its own order of keys, and models read descriptions in the original
 * order. The hash shows whether the text belongs to the description in the same row, which earlier releases write
 * without the text.
 */
export const keepDefinitionText: Migration = {
  async up(db) {
    await sql`alter table tool_servers.tool add column definition_text text, add column text_hash bytea`.execute(db);
  },
};
