import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Time until which a process works on a hook. Separate from `due_at`, which a change of the flow sets meanwhile. */
export const leaseHook: Migration = {
  async up(db) {
    await sql`alter table trackers.hook add column leased_until timestamptz(3)`.execute(db);
  },
};
