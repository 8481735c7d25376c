import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Records whether the agent of a session is known by its key, or is the caller's claim. */
export const verifyRuntimePrincipal: Migration = {
  async up(db) {
    await sql`
      alter table gateway.runtime_session add column principal_verified boolean not null default false
    `.execute(db);
  },
};
