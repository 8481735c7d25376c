import { sql, type RawBuilder } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { VectorSpace } from '../vector-space.ts';

/** Where a space's vectors are looked for after the shared table. */
export function nameSegment(segment: string): RawBuilder<unknown> {
  return sql.id('search', segment);
}

/**
 * Where vectors of the space lie, as what follows `from`, its condition included: a moving one is in one of two. All of a segment are
 * the space's; to ask for that would be to read every row of it (100,000 of 384: 11,112 pages instead of 387).
 */
export function listVectorSources({ id, segment }: VectorSpace): RawBuilder<unknown>[] {
  const shared = sql`search.chunk_vector where space_id = ${id}`;
  return segment === null ? [shared] : [shared, sql`${nameSegment(segment)} where true`];
}

/** The space's segment as it is now, held against being dropped until the end of the transaction; undefined without a space. */
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
 * Vectors as `packUnitVector` packs them, into the shared table: the mover alone feeds a segment, whose index takes a millisecond for
 * each. Answers the chunks that have their vector now, those that had one before included.
 */
export async function insertVectors(
  trx: AnyTransaction,
  space: Pick<VectorSpace, 'id' | 'accountId' | 'segment'>,
  vectors: readonly { readonly chunkId: string; readonly vector: Buffer }[],
): Promise<string[]> {
  const chunkIds = vectors.map(({ chunkId }) => chunkId);
  // The driver sends bytes as they are: each a parameter of its own, since it knows no arrays of them.
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

/** Of chunks whose vector is in the segment already. A statement of its own: it sees what moved while the former one waited. */
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

/** Whether more than so many vectors of the space wait in the shared table. */
export async function hasMoreUnmoved(trx: AnyTransaction, spaceId: string, most: number): Promise<boolean> {
  const { rows } = await sql`
    select from search.chunk_vector where space_id = ${spaceId} order by chunk_id offset ${most} limit 1
  `.execute(trx);
  return rows.length > 0;
}

export async function addWritten(trx: AnyTransaction, spaceId: string, vectors: number): Promise<void> {
  await sql`update search.vector_space set written = written + ${vectors} where id = ${spaceId}`.execute(trx);
}

/** Those of the chunks that exist. */
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
