import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Vectors of chunks. A vector belongs to one space; spaces are never compared. Small spaces share a table that is
 * scanned by its key; a larger one has a table of its own with an HNSW index, called its segment.
 */
export const createVectors: Migration = {
  async up(db) {
    await createTables(db);
    await createSegmentFunctions(db);
    await deleteWithChunks(db);
    await holdChunks(db);
  },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search.vector_space (
      id uuid primary key,
      account_id uuid not null,
      provider text not null,
      base_url text not null,
      model_identifier text not null,
      width smallint not null constraint vector_space_width_check check (width between 1 and 4000),
      -- The table of its own, within this schema; null as long as the shared one holds it.
      segment text unique,
      -- Vectors ever written, deleted ones too: whoever passes a bound is counted exactly.
      written bigint not null default 0,
      created_at timestamptz not null,
      -- Since when another space answers; its vectors are on their way out.
      retired_at timestamptz
    )
  `.execute(db);
  await sql`
    create unique index vector_space_key on search.vector_space
    (account_id, provider, base_url, model_identifier, width) where retired_at is null
  `.execute(db);
  await sql`create index vector_space_account_index on search.vector_space (account_id)`.execute(db);

  // Filter columns of a search are copied into the row: an index that had to look up another table for each candidate
  // would find too few in filtered searches.
  await sql`
    create table search.chunk_vector (
      space_id uuid not null,
      chunk_id uuid not null,
      runtime_session_id uuid not null,
      occurred_at timestamptz(3) not null,
      written_at timestamptz(3) not null,
      api_key_id uuid,
      flow_id uuid,
      source_kind text not null,
      model_alias text,
      provider_name text,
      runtime_principal_id text,
      role text,
      -- Of length 1 and of its space's width.
      vector halfvec not null,
      primary key (space_id, chunk_id)
    ) with (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)
  `.execute(db);

  await sql`grant select on search.vector_space, search.chunk_vector to steward_api_gateway, steward_search_indexer`.execute(
    db,
  );
  await sql`grant insert, update (written, retired_at) on search.vector_space to steward_search_indexer`.execute(db);
  // It updates no rows: the right is needed to lock those that it moves.
  await sql`grant insert, update, delete on search.chunk_vector to steward_search_indexer`.execute(db);
}

/** Creating and dropping a table needs the owner; the indexer's role gets only these two rights of the owner. */
async function createSegmentFunctions(db: Kysely<unknown>): Promise<void> {
  // Waits for current writers of the space, so that all later ones see the segment; with a time limit.
  await sql`
    create function search.make_segment(space uuid, links integer, candidates integer) returns text
    language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '3s' as $$
    declare
      name text := 'segment_' || replace(space::text, '-', '');
      vectors text := (select extnamespace::regnamespace::text from pg_extension where extname = 'vector');
      size smallint;
      filter text;
    begin
      select width into size from search.vector_space where id = space and segment is null for update;
      if size is null then return null; end if;
      execute format('create table search.%I (like search.chunk_vector including defaults including constraints)
        with (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', name);
      execute format('alter table search.%I alter column vector type %s.halfvec(%s)', name, vectors, size);
      execute format('alter table search.%I add primary key (chunk_id)', name);
      execute format('create index on search.%I using hnsw (vector %s.halfvec_ip_ops) with (m = %s, ef_construction = %s)',
        name, vectors, links, candidates);
      foreach filter in array array['runtime_session_id', 'occurred_at', 'source_kind', 'model_alias', 'provider_name',
        'runtime_principal_id', 'api_key_id', 'flow_id', 'role']
      loop
        execute format('create index on search.%I (%I) where %I is not null', name, filter, filter);
      end loop;
      execute format('grant select on search.%I to steward_api_gateway', name);
      execute format('grant select, insert, delete on search.%I to steward_search_indexer', name);
      update search.vector_space set segment = name where id = space;
      return name;
    exception when lock_not_available then
      return null;
    end $$
  `.execute(db);

  // Drops a retired space without vectors in the shared table. Waits a moment for writers and deleters.
  await sql`
    create function search.drop_space(space uuid) returns boolean
    language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '3s' as $$
    declare name text;
    begin
      perform from search.vector_space where id = space and retired_at is not null for update;
      if not found or exists (select from search.chunk_vector where space_id = space) then return false; end if;
      delete from search.vector_space where id = space returning segment into name;
      if name is not null then execute format('drop table search.%I', name); end if;
      return true;
    exception when lock_not_available then
      return false;
    end $$
  `.execute(db);
  await sql`
    revoke all on function search.make_segment(uuid, integer, integer), search.drop_space(uuid) from public
  `.execute(db);
  await sql`
    grant execute on function search.make_segment(uuid, integer, integer), search.drop_space(uuid) to steward_search_indexer
  `.execute(db);
}

/** Deleting a chunk deletes its vectors, in every space, without any right on them. */
async function deleteWithChunks(db: Kysely<unknown>): Promise<void> {
  // The shared table is processed first, then the segments that exist afterwards: the first step waits for a vector
  // that is being moved, and the second step finds it.
  await sql`
    create function search.delete_vectors() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare space record;
    begin
      for space in
        select s.id, array(select g.id from gone g where g.account_id = s.account_id) as chunks
        from search.vector_space s where s.account_id in (select g.account_id from gone g)
      loop
        delete from search.chunk_vector where space_id = space.id and chunk_id = any (space.chunks);
      end loop;
      if not found then return null; end if;
      for space in
        select s.segment, array(select g.id from gone g where g.account_id = s.account_id) as chunks
        from search.vector_space s where s.account_id in (select g.account_id from gone g) and s.segment is not null
        for key share
      loop
        execute format('delete from search.%I where chunk_id = any ($1)', space.segment) using space.chunks;
      end loop;
      return null;
    end $$
  `.execute(db);
  await sql`revoke all on function search.delete_vectors() from public`.execute(db);
  await sql`
    create trigger delete_vectors after delete on search.chunk
    referencing old table as gone for each statement execute function search.delete_vectors()
  `.execute(db);
}

/**
 * Locks chunks until the end of the transaction, and returns them with the columns that vectors copy. A chunk that is
 * being deleted is skipped: waiting for it could end in a deadlock with its deleter. Without this function, the lock
 * would need an update right on chunks.
 */
async function holdChunks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search.hold_chunks(account uuid, chunks uuid[])
    returns table (id uuid, runtime_session_id uuid, occurred_at timestamptz, api_key_id uuid, flow_id uuid,
      source_kind text, model_alias text, provider_name text, runtime_principal_id text, role text)
    language sql security definer set search_path = pg_catalog, pg_temp as $$
      select id, runtime_session_id, occurred_at, api_key_id, flow_id, source_kind, model_alias, provider_name,
        runtime_principal_id, role
      from search.chunk where account_id = account and id = any (chunks) for key share skip locked
    $$
  `.execute(db);
  await sql`revoke all on function search.hold_chunks(uuid, uuid[]) from public`.execute(db);
  await sql`grant execute on function search.hold_chunks(uuid, uuid[]) to steward_search_indexer`.execute(db);
}
