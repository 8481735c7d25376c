import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes tool calls of an account by time: a policy is tested on recorded calls. */
export const indexToolCalls: Migration = {
  async up(db) {
    await sql`
      create index session_content_tool_call_index on gateway.session_content (account_id, occurred_at desc, id desc)
      where kind = 'tool_call'
    `.execute(db);
  },
};
