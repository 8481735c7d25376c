import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A title that an agent gave its session gives way to its next one, and to that of a person; one of a person to none (SESS-37). */
export const tellImportedTitles: Migration = {
  async up(db) {
    // Wider than the one before: what is there fits, and nobody waits while it is read.
    await sql`
      alter table gateway.runtime_session
        drop constraint runtime_session_title_origin_check,
        add constraint runtime_session_title_origin_check
          check (title_origin in ('client', 'imported', 'generated') and (title is null) = (title_origin is null)) not valid
    `.execute(db);
  },
};
