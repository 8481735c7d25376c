import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Times of an agent's last model call and last permission check: an agent with only the former is not checked. */
export const noteActivity: Migration = {
  async up(db) {
    await sql`
      alter table agents.agent
        add column last_model_call_at timestamptz(3),
        add column last_permission_check_at timestamptz(3)
    `.execute(db);
  },
};
