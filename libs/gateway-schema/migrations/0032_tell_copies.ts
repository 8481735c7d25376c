import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A fork of a session stores the entries that it inherits again, as copies (IMP-13): `origin` is the same for an entry
 * and its copies, and one of them is the original.
 */
export const tellCopies: Migration = {
  async up(db) {
    await sql`
      alter table gateway.session_content
        add column origin uuid,
        add column copy_of uuid,
        add column copy_of_session_id uuid,
        add constraint session_content_copy_check
          check ((copy_of is null) = (copy_of_session_id is null) and (copy_of is null or origin is not null)) not valid
    `.execute(db);
    await sql`
      create unique index session_content_origin_key on gateway.session_content (account_id, origin)
      where origin is not null and copy_of is null
    `.execute(db);
    await sql`
      create index session_content_copy_index on gateway.session_content (account_id, copy_of) where copy_of is not null
    `.execute(db);
    await sql`alter table gateway.runtime_session add column title_hint_copied boolean not null default false`.execute(
      db,
    );
    // A copy replaces a deleted original.
    await sql`
      grant update (copy_of, copy_of_session_id) on gateway.session_content to steward_backfill_sweeper
    `.execute(db);
  },
};
