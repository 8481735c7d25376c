import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Grants the use of the schema; each later migration grants access to its tables. */
export const grantSchema: Migration = {
  async up(db) {
    await sql`grant usage on schema stats to steward_api_gateway`.execute(db);
    await sql`grant select on stats.schema_migration to steward_api_gateway`.execute(db);
  },
};
