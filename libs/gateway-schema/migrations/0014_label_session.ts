import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds labels, each `key:value`, in the order the client gave them (SESS-17). */
export const labelSession: Migration = {
  async up(db) {
    await sql`alter table gateway.runtime_session add column labels text[] not null default '{}'`.execute(db);
  },
};
