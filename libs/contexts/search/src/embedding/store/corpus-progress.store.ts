import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { listVectorSources } from '../../vectors/store/chunk-vector.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import type { EmbeddingScope } from '../embedding-setting.ts';

export interface ChunkCounts {
  readonly chunks: number;
  /** Number of chunks in the scope, without those that have only metadata. */
  readonly eligible: number;
  /** Number of these chunks that are not tried again, because their last permitted attempt failed. */
  readonly failed: number;
}

interface CorpusKey {
  readonly accountId: string;
  readonly scope: EmbeddingScope;
}

/**
 * Counts chunks of an account with index-only scans. Content with only metadata is not embedded, so it is counted with
 * a separate index and subtracted.
 */
export async function countChunks(db: AnyDatabase, { accountId, scope }: CorpusKey): Promise<ChunkCounts> {
  const fits = describeScope(scope);
  const ofAccount = sql`from search.chunk where account_id = ${accountId}`;
  const fitting = scope === 'full' ? sql`chunks` : sql`(select count(*) ${ofAccount} and ${fits})`;
  const { rows } = await sql<ChunkCounts>`
    select chunks,
      (${fitting} - (select count(*) ${ofAccount} and redaction_state = 'metadata_only' and ${fits}))::int as eligible,
      (select count(*) from search.embedding_task task join search.chunk on chunk.account_id = task.account_id and chunk.id = task.chunk_id
        where task.account_id = ${accountId} and task.state = 'failed')::int as failed
    from (select count(*)::int as chunks ${ofAccount}) as counted
  `.execute(db);
  return rows[0] ?? { chunks: 0, eligible: 0, failed: 0 };
}

/** Returns the number of the space's vectors whose chunks are in the scope. */
export async function countEmbedded(db: AnyDatabase, space: VectorSpace, scope: EmbeddingScope): Promise<number> {
  const counts = listVectorSources(space).map(
    (source) => sql`(select count(*) from ${source} and ${describeScope(scope)})`,
  );
  const { rows } = await sql<{ count: number }>`select (${sql.join(counts, sql` + `)})::int as count`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface FormerVectors extends CorpusKey {
  /** Spaces of former providers, endpoints, models and dimensions. */
  readonly spaces: readonly VectorSpace[];
  /** Position of the current walk. */
  readonly probedTo: string;
  /** Maximum number of chunks counted per space. */
  readonly most: number;
}

/**
 * Counts chunks that wait for a vector and have a vector in a former space. The chunks that wait are those after the
 * walk position, and those that are in a call or wait for a retry. Returns the count for the former space that contains
 * most of them. Comparing complete spaces would take seconds for a large account.
 */
export async function countFormer(
  db: AnyDatabase,
  { accountId, spaces, probedTo, scope, most }: FormerVectors,
): Promise<number> {
  if (spaces.length === 0 || most <= 0) return 0;
  const fits = describeScope(scope);
  const countOf = (source: RawBuilder<unknown>) => sql`
    (select count(*) from (select from ${source} and chunk_id > ${probedTo}::uuid and ${fits} limit ${most}::int) as ahead)
    + (select count(*) from (
        select from search.embedding_task task
        where task.account_id = ${accountId} and task.state <> 'failed' and task.chunk_id <= ${probedTo}::uuid
          and exists (select from ${source} and chunk_id = task.chunk_id and ${fits})
        limit ${most}::int
      ) as taken)`;
  const counts = spaces.map((space) => sql.join(listVectorSources(space).map(countOf), sql` + `));
  const { rows } = await sql<{ count: number }>`
    select least(${most}::int, greatest(${sql.join(counts)}))::int as count
  `.execute(db);
  return rows[0]?.count ?? 0;
}

function describeScope(scope: EmbeddingScope) {
  return scope === 'full' ? sql`true` : sql`source_kind = 'session_summary'`;
}
