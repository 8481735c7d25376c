import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The watermark of a deleted account is deleted at the end of its last walk. */
export const forgetAccounts: Migration = {
  async up(db) {
    await sql`grant delete on backfill.watermark to steward_backfill_sweeper`.execute(db);
  },
};
