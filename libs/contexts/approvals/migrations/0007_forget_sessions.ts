import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/** The sweeper removes the content of a deleted session from requests, and sees nothing else of this slice. */
export const forgetSessions: Migration = {
  async up(db) {
    await sql`
      create index approval_request_of_session on approvals.approval_request (runtime_session_id)
      where runtime_session_id is not null
    `.execute(db);
    const sweeper = sql.raw(APP_ROLES.backfillSweeper);
    await sql`grant usage on schema approvals to ${sweeper}`.execute(db);
    await sql`grant select on approvals.schema_migration to ${sweeper}`.execute(db);
    await sql`
      grant select (id, account_id, runtime_session_id, status, expires_at, due_at),
        update (arguments, reasoning, comment, runtime_session_id, expires_at, due_at)
      on approvals.approval_request to ${sweeper}
    `.execute(db);
    await sql`grant select (request_id), update (comment) on approvals.approval_vote to ${sweeper}`.execute(db);
    await sql`grant select (request_id, user_id) on approvals.approval_link to ${sweeper}`.execute(db);
  },
};
