import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/** Approvals are told of what no receiver accepted, too, and ask for it themselves. */
export const reportDeadDeliveries: Migration = {
  async up(db) {
    // Null where the receiver accepted it.
    await sql`alter table webhooks.acceptance add column error text`.execute(db);
    const gateway = sql.raw(APP_ROLES.apiGateway);
    // Update only to lock the rows of a batch.
    await sql`grant select, update, delete on webhooks.acceptance to ${gateway}`.execute(db);
    const dispatcher = sql.raw(APP_ROLES.webhookDispatcher);
    await sql`revoke update on webhooks.acceptance from ${dispatcher}`.execute(db);
  },
};
