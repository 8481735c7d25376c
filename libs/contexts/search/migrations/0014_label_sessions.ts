import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Index of sessions by label (SESS-17). The labels themselves are stored with the session. */
export const labelSessions: Migration = {
  async up(db) {
    await sql`
      create table search.session_label (
        account_id uuid not null,
        label text not null,
        runtime_session_id uuid not null,
        primary key (account_id, label, runtime_session_id)
      )
    `.execute(db);
    await sql`create index session_label_session_index on search.session_label (account_id, runtime_session_id)`.execute(
      db,
    );
    await sql`grant select, insert, delete on search.session_label to steward_api_gateway`.execute(db);
  },
};
