import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Executions that wait for people: looked at again and again, for one that ended waits for nobody. */
export const indexWaitingExecutions: Migration = {
  async up(db) {
    await sql`
      create index approval_request_waiting_execution on approvals.approval_request (execution_id)
      where status = 'pending' and execution_id is not null
    `.execute(db);
  },
};
