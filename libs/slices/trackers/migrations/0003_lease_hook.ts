import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Until when a process works on a hook. Apart from `due_at`, which a change of the flow sets while the work goes on. */
export const leaseHook: Migration = {
  async up(db) {
    await sql`alter table trackers.hook add column leased_until timestamptz(3)`.execute(db);
  },
};
