import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Every lookup by id names the account too and is served by `delivery_done_account`: one index less on the hot insert.
 */
export const dropDeliveryDoneId: Migration = {
  async up(db) {
    await sql`drop index webhooks.delivery_done_id`.execute(db);
  },
};
