import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/**
 * Approval workflows as receivers: a workflow may have several URLs, and the accepted deliveries of its receivers are
 * kept until the approvals slice has been notified.
 */
export const createWorkflowDelivery: Migration = {
  async up(db) {
    await sql`drop index webhooks.endpoint_source`.execute(db);
    await sql`
      create index endpoint_source on webhooks.endpoint (account_id, source_id)
      where deleted_at is null and source_id is not null
    `.execute(db);
    await sql`
      create table webhooks.acceptance (
        delivery_id uuid primary key,
        account_id uuid not null,
        workflow_id uuid not null,
        event_id uuid not null,
        event_type text not null,
        accepted_at timestamptz(3) not null
      )
    `.execute(db);
    await sql`create index acceptance_accepted on webhooks.acceptance (accepted_at)`.execute(db);
    const dispatcher = sql.raw(APP_ROLES.webhookDispatcher);
    // The update right is only needed to lock the rows of a batch.
    await sql`grant select, insert, update, delete on webhooks.acceptance to ${dispatcher}`.execute(db);
  },
};
