import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who may see the schema at all; each later migration grants what its tables are for. */
export const grantSchema: Migration = {
  async up(db) {
    await sql`grant usage on schema stats to steward_api_gateway`.execute(db);
    await sql`grant select on stats.schema_migration to steward_api_gateway`.execute(db);
  },
};
