import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Index of executions that wait for approvers; it is read regularly, since an ended execution needs no decision. */
export const indexWaitingExecutions: Migration = {
  async up(db) {
    await sql`
      create index approval_request_waiting_execution on approvals.approval_request (execution_id)
      where status = 'pending' and execution_id is not null
    `.execute(db);
  },
};
