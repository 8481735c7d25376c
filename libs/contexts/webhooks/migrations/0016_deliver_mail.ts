import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Mail is sent as deliveries: an account has one endpoint for it, which no list shows. */
export const deliverMail: Migration = {
  async up(db) {
    await sql`alter table webhooks.endpoint drop constraint endpoint_source_check`.execute(db);
    await sql`
      alter table webhooks.endpoint add constraint endpoint_source_check
        check (source in ('account', 'approval_workflow', 'mail'))
    `.execute(db);
    await sql`
      create unique index endpoint_mail on webhooks.endpoint (account_id) where source = 'mail' and deleted_at is null
    `.execute(db);
  },
};
