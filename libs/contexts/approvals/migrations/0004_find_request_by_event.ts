import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The event about a request; the result of its delivery is recorded by it. */
export const findRequestByEvent: Migration = {
  async up(db) {
    await sql`alter table approvals.approval_request add column created_event_id uuid`.execute(db);
    await sql`
      create unique index approval_request_event on approvals.approval_request (created_event_id)
    `.execute(db);
  },
};
