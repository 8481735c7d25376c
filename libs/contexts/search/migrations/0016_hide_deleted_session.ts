import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Sessions whose chunks are being deleted; they can no longer be found once the deletion of the session is committed
 * (ADR 0042).
 */
export const hideDeletedSession: Migration = {
  async up(db) {
    await sql`
      create table search.deleted_session (
        account_id uuid not null,
        runtime_session_id uuid not null,
        primary key (account_id, runtime_session_id)
      )
    `.execute(db);
    // Sightings in a session are deleted with it.
    await sql`
      create index credential_sighting_session_index on search.credential_sighting (account_id, runtime_session_id)
    `.execute(db);
    await sql`grant select, insert on search.deleted_session to steward_api_gateway`.execute(db);
    await sql`grant select on search.deleted_session to steward_search_indexer`.execute(db);
    await sql`grant select (runtime_session_id) on search.chunk to steward_search_indexer`.execute(db);
    const sweeper = sql.raw('steward_backfill_sweeper');
    await sql`grant select, insert, delete on search.deleted_session to ${sweeper}`.execute(db);
    await sql`grant select, delete on search.session_label to ${sweeper}`.execute(db);
    await sql`grant select (account_id, chunk_id), delete on search.embedding_task to ${sweeper}`.execute(db);
  },
};
