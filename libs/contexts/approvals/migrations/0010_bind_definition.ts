import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An approval is valid only for the tool description at that moment (APR-6). */
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
