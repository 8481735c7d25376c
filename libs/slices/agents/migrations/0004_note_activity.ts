import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When an agent called a model last, and when it asked about a call of a tool: an agent that does the one without the other is asked about nothing. */
export const noteActivity: Migration = {
  async up(db) {
    await sql`
      alter table agents.agent
        add column last_model_call_at timestamptz(3),
        add column last_permission_check_at timestamptz(3)
    `.execute(db);
  },
};
