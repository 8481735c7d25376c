import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The watermark of an account that was deleted goes when nothing of its walk is left. */
export const forgetAccounts: Migration = {
  async up(db) {
    await sql`grant delete on backfill.watermark to steward_backfill_sweeper`.execute(db);
  },
};
