import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Changes of the version in force are changes of what gateway processes have read about callers (ACC-54). */
export const noteCallerChange: Migration = {
  async up(db) {
    await sql`
      create trigger policy_head_caller_change after insert or update or delete on policies.policy_head
      for each row execute function gateway.note_caller_change()
    `.execute(db);
  },
};
