import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/** The approvals slice is also notified of messages that no receiver accepted, and reads them itself. */
export const reportDeadDeliveries: Migration = {
  async up(db) {
    // Null if the receiver accepted it.
    await sql`alter table webhooks.acceptance add column error text`.execute(db);
    const gateway = sql.raw(APP_ROLES.apiGateway);
    // The update right is only needed to lock the rows of a batch.
    await sql`grant select, update, delete on webhooks.acceptance to ${gateway}`.execute(db);
    const dispatcher = sql.raw(APP_ROLES.webhookDispatcher);
    await sql`revoke update on webhooks.acceptance from ${dispatcher}`.execute(db);
  },
};
