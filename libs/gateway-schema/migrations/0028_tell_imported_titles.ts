import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A title that an agent gave its session is replaced by its next one, and by that of a person; a person's title is
 * never replaced (SESS-37).
 */
export const tellImportedTitles: Migration = {
  async up(db) {
    // Wider than the previous constraint: all existing rows satisfy it, so nobody waits for a scan.
    await sql`
      alter table gateway.runtime_session
        drop constraint runtime_session_title_origin_check,
        add constraint runtime_session_title_origin_check
          check (title_origin in ('client', 'imported', 'generated') and (title is null) = (title_origin is null)) not valid
    `.execute(db);
  },
};
