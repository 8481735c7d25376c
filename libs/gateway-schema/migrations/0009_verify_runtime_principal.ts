import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether the agent a session names is known by its key, or is what the caller said. */
export const verifyRuntimePrincipal: Migration = {
  async up(db) {
    await sql`
      alter table gateway.runtime_session add column principal_verified boolean not null default false
    `.execute(db);
  },
};
