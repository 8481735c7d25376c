import { sql } from 'kysely';
import type { SliceMigration } from '@steward/database';

/** Checks the rows that existed before `0039_move_content`, without blocking their writers. */
export const validateStoredContent: SliceMigration = {
  isOnline: true,
  async up(db) {
    await sql`
      alter table gateway.session_content
        validate constraint session_content_stored_check, validate constraint session_content_object_check
    `.execute(db);
  },
};
