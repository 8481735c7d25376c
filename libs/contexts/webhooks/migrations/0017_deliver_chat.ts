import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Chat rooms that an approval workflow informs about its requests: they get messages, not events. */
export const deliverChat: Migration = {
  async up(db) {
    await sql`alter table webhooks.endpoint drop constraint endpoint_source_check`.execute(db);
    await sql`
      alter table webhooks.endpoint add constraint endpoint_source_check
        check (source in ('account', 'approval_workflow', 'approval_chat', 'mail'))
    `.execute(db);
  },
};
