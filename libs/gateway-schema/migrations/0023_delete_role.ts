import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Allows custom roles without users to be deleted. */
export const deleteRole: Migration = {
  async up(db) {
    await sql`grant delete on gateway.role to steward_api_gateway`.execute(db);
  },
};
