import { sql, type RawBuilder } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { VectorSpace } from '../vector-space.ts';

/** Where a space's vectors are looked for after the shared table. */
export function nameSegment(segment: string): RawBuilder<unknown> {
  return sql.id('search', segment);
}

/** Where vectors of the space lie: a moving one is in one of two. */
export function listVectorTables({ segment }: VectorSpace): RawBuilder<unknown>[] {
  const shared = sql`search.chunk_vector`;
  return segment === null ? [shared] : [shared, nameSegment(segment)];
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

/** Vectors as `packUnitVector` packs them. Answers the chunks that have their vector now, those that had one before included. */
export async function upsertVectors(
  trx: AnyTransaction,
  space: Pick<VectorSpace, 'id' | 'accountId' | 'segment'>,
  vectors: readonly { readonly chunkId: string; readonly vector: Buffer }[],
): Promise<string[]> {
  const table = nameSegment(space.segment ?? 'chunk_vector');
  const chunkIds = vectors.map(({ chunkId }) => chunkId);
  // The driver sends bytes as they are: each a parameter of its own, since it knows no arrays of them.
  const packed = sql.join(vectors.map(({ vector }) => sql`${vector}::halfvec`));
  const { rows } = await sql<{ id: string }>`
    with held as materialized (
      select * from search.hold_chunks(${space.accountId}, ${chunkIds}::uuid[])
    ), written as (
      insert into ${table} (space_id, chunk_id, runtime_session_id, occurred_at, written_at, api_key_id, flow_id,
        source_kind, model_alias, provider_name, runtime_principal_id, role, vector)
      select ${space.id}, held.id, runtime_session_id, occurred_at, clock_timestamp(), api_key_id, flow_id, source_kind,
        model_alias, provider_name, runtime_principal_id, role, new.vector
      from unnest(${chunkIds}::uuid[], array[${packed}])
        as new (id, vector) join held using (id)
      on conflict do nothing
    )
    select id from held
  `.execute(trx);
  return rows.map(({ id }) => id);
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
