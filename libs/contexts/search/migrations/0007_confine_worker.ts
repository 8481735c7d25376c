import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A flow worker gets only chunks of its leased execution's session, as in the gateway's tables; cleanup roles get no
 * text.
 */
export const confineWorker: Migration = {
  async up(db) {
    await sql`alter table search.chunk enable row level security`.execute(db);
    await sql`create policy granted on search.chunk using (true)`.execute(db);
    await sql`
      create policy leased on search.chunk as restrictive to steward_flow_trigger
      using ((account_id, runtime_session_id) = (select l.account_id, l.session_id from gateway.leased() l))
    `.execute(db);
    await sql`revoke select on search.chunk from steward_flow_trigger`.execute(db);
    await sql`
      grant select (account_id, source_kind, source_id, chunk_index, content_hash) on search.chunk to steward_flow_trigger
    `.execute(db);
    // The indexer only flushes and expires.
    await sql`revoke select, insert, update on search.chunk from steward_search_indexer`.execute(db);
    await sql`grant select (account_id, id, occurred_at) on search.chunk to steward_search_indexer`.execute(db);
  },
};
