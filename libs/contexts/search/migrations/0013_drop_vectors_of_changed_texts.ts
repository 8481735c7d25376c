import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A chunk whose text changes, for any reason, loses its vectors in the same transaction and is embedded again. */
export const dropVectorsOfChangedTexts: Migration = {
  async up(db) {
    // The row of the account is locked first, then its tasks, in the common lock order. The shared table is processed
    // before the segments: the first step waits for a vector that is being moved, and the second step finds it. Chunks
    // that the walk has not reached yet are embedded by the walk.
    await sql`
      create function search.renew_vectors() returns trigger
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      declare
        space record;
        account record;
        dropped uuid[];
        stale uuid[];
      begin
        for account in
          select n.account_id as id, array_agg(n.id) as chunks
          from new_chunk n join old_chunk o on o.account_id = n.account_id and o.id = n.id
          where o.content is distinct from n.content group by n.account_id order by n.account_id
        loop
          update search.embedding_work set due_at = greatest(clock_timestamp(), held_until)
          where account_id = account.id and due_at > greatest(clock_timestamp(), held_until);
          update search.embedding_task set state = 'waiting', call_id = null, attempts = 0, not_before = '-infinity',
            batch_limit = null, error = null
          where account_id = account.id and chunk_id = any (account.chunks);
          stale := '{}';
          for space in select id from search.vector_space where account_id = account.id loop
            with gone as (
              delete from search.chunk_vector where space_id = space.id and chunk_id = any (account.chunks) returning chunk_id
            ) select array_agg(chunk_id) into dropped from gone;
            stale := stale || coalesce(dropped, '{}');
          end loop;
          for space in
            select segment from search.vector_space where account_id = account.id and segment is not null for key share
          loop
            execute format('with gone as (delete from search.%I where chunk_id = any ($1) returning chunk_id)
              select array_agg(chunk_id) from gone', space.segment) into dropped using account.chunks;
            stale := stale || coalesce(dropped, '{}');
          end loop;
          insert into search.embedding_task (account_id, chunk_id, state)
          select distinct account.id, lost.chunk_id, 'waiting' from unnest(stale) as lost (chunk_id) order by lost.chunk_id
          on conflict (account_id, chunk_id) do nothing;
        end loop;
        return null;
      end $$
    `.execute(db);
    // Shared, not only on the key: a text must not change while a vector of it is being written.
    await sql`
      create or replace function search.hold_chunks(account uuid, chunks uuid[])
      returns table (id uuid, runtime_session_id uuid, occurred_at timestamptz, api_key_id uuid, flow_id uuid,
        source_kind text, model_alias text, provider_name text, runtime_principal_id text, role text)
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        select id, runtime_session_id, occurred_at, api_key_id, flow_id, source_kind, model_alias, provider_name,
          runtime_principal_id, role
        from search.chunk where account_id = account and id = any (chunks) for share skip locked
      $$
    `.execute(db);
    await sql`revoke all on function search.renew_vectors() from public`.execute(db);
    await sql`
      create trigger renew_vectors after update on search.chunk
      referencing old table as old_chunk new table as new_chunk
      for each statement execute function search.renew_vectors()
    `.execute(db);
  },
};
