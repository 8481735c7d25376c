import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes for the claim's count and the search for the account's next execution. */
export const limitAccount: Migration = {
  async up(db) {
    await sql`
      create index execution_account_running_idx on flows.execution (account_id) where status in ('INITIALIZING', 'RUNNING')
    `.execute(db);
    await sql`
      create index execution_account_pending_idx on flows.execution (account_id, created_at) where status = 'PENDING'
    `.execute(db);
  },
};
