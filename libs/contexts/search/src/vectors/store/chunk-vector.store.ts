import { sql, type RawBuilder } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { VectorSpace } from '../vector-space.ts';

/**
 * Returns SQL for the name of a segment, the table that is searched for a space's vectors in addition to the shared
 * one.
 */
export function nameSegment(segment: string): RawBuilder<unknown> {
  return sql.id('search', segment);
}

/**
 * Returns SQL for the tables with vectors of the space, each with its condition. While vectors are moved, they are
 * distributed over both tables. All rows of a segment belong to the space, so the segment needs no condition on the
 * space; such a condition would require reading every row (with 100,000 vectors of 384 dimensions: 11,112 pages instead
 * of 387).
 */
export function listVectorSources({ id, segment }: VectorSpace): RawBuilder<unknown>[] {
  const shared = sql`search.chunk_vector where space_id = ${id}`;
  return segment === null ? [shared] : [shared, sql`${nameSegment(segment)} where true`];
}

/**
 * Returns the current segment of the space, locked against being dropped until the end of the transaction; undefined if
 * the space does not exist or was retired.
 */
export async function holdSpace(
  trx: AnyTransaction,
  spaceId: string,
): Promise<{ readonly segment: string | null } | undefined> {
  const { rows } = await sql<{ segment: string | null }>`
    select segment from search.vector_space where id = ${spaceId} and retired_at is null for key share
  `.execute(trx);
  return rows[0];
}

/**
 * Inserts vectors packed by `packUnitVector` into the shared table: only the background move inserts into a segment,
 * whose index takes a millisecond for each vector. Returns the chunks that have a vector now, including those that had
 * one before.
 */
export async function insertVectors(
  trx: AnyTransaction,
  space: Pick<VectorSpace, 'id' | 'accountId' | 'segment'>,
  vectors: readonly { readonly chunkId: string; readonly vector: Buffer }[],
): Promise<string[]> {
  const chunkIds = vectors.map(({ chunkId }) => chunkId);
  // The driver has no arrays of bytes, but sends bytes unchanged, so each vector is a separate parameter.
  const packed = sql.join(vectors.map(({ vector }) => sql`${vector}::halfvec`));
  const { rows } = await sql<{ id: string }>`
    with held as materialized (
      select * from search.hold_chunks(${space.accountId}, ${chunkIds}::uuid[])
    ), written as (
      insert into search.chunk_vector (space_id, chunk_id, runtime_session_id, occurred_at, written_at, api_key_id, flow_id,
        source_kind, model_alias, provider_name, runtime_principal_id, role, vector)
      select ${space.id}, held.id, runtime_session_id, occurred_at, clock_timestamp(), api_key_id, flow_id, source_kind,
        model_alias, provider_name, runtime_principal_id, role, new.vector
      from unnest(${chunkIds}::uuid[], array[${packed}])
        as new (id, vector) join held using (id)
      on conflict do nothing
    )
    select id from held
  `.execute(trx);
  if (space.segment !== null) await deleteMoved(trx, { ...space, segment: space.segment }, chunkIds);
  return rows.map(({ id }) => id);
}

/**
 * Deletes vectors from the shared table that are already in the segment. This is a separate statement, so that it sees
 * vectors that were moved while the previous statement waited for a lock.
 */
async function deleteMoved(
  trx: AnyTransaction,
  space: { readonly id: string; readonly segment: string },
  chunkIds: readonly string[],
): Promise<void> {
  await sql`
    delete from search.chunk_vector where space_id = ${space.id} and chunk_id = any (array(
      select chunk_id from ${nameSegment(space.segment)} where chunk_id = any (${chunkIds}::uuid[])
    ))
  `.execute(trx);
}

/** Returns whether more than this number of the space's vectors are still in the shared table. */
export async function hasMoreUnmoved(trx: AnyTransaction, spaceId: string, most: number): Promise<boolean> {
  const { rows } = await sql`
    select from search.chunk_vector where space_id = ${spaceId} order by chunk_id offset ${most} limit 1
  `.execute(trx);
  return rows.length > 0;
}

export async function addWritten(trx: AnyTransaction, spaceId: string, vectors: number): Promise<void> {
  await sql`update search.vector_space set written = written + ${vectors} where id = ${spaceId}`.execute(trx);
}

/** Returns the given chunks that exist. */
export async function listPresentChunks(
  trx: AnyTransaction,
  accountId: string,
  chunkIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from search.chunk where account_id = ${accountId} and id = any (${chunkIds}::uuid[])
  `.execute(trx);
  return rows.map(({ id }) => id);
}
