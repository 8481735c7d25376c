import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What people approve is a call of a tool as it is described at that moment (APR-6). */
export const bindDefinition: Migration = {
  async up(db) {
    await sql`
      alter table approvals.approval_request
        -- Of the tool, in hexadecimal. Null: the tool does not run through the service.
        add column definition_hash text
          constraint approval_request_definition_hash_check check (definition_hash ~ '^[0-9a-f]{64}$')
    `.execute(db);
  },
};
