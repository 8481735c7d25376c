import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A key of a suspended agent is known, and refused: the state of its agent is stored with it, so that a request reads
 * one row.
 */
export const suspendApiKey: Migration = {
  async up(db) {
    await sql`alter table gateway.api_key add column is_suspended boolean not null default false`.execute(db);
    await sql`
      create index api_key_principal_index on gateway.api_key (account_id, runtime_principal_id) where revoked_at is null
    `.execute(db);
  },
};
