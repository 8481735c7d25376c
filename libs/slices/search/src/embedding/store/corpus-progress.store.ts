import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { listVectorSources } from '../../vectors/store/chunk-vector.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import type { EmbeddingScope } from '../embedding-setting.ts';

export interface ChunkCounts {
  readonly chunks: number;
  /** Those that the scope wants embedded. */
  readonly eligible: number;
  /** Those of them that were set aside after their attempts. */
  readonly failed: number;
}

interface CorpusKey {
  readonly accountId: string;
  readonly scope: EmbeddingScope;
}

/**
 * Chunks of an account, from indexes alone. What was stored without its content says nothing worth a vector: it is counted by an
 * index of its own, and taken off.
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

/** Vectors of the space that the scope wants. */
export async function countEmbedded(db: AnyDatabase, space: VectorSpace, scope: EmbeddingScope): Promise<number> {
  const counts = listVectorSources(space).map(
    (source) => sql`(select count(*) from ${source} and ${describeScope(scope)})`,
  );
  const { rows } = await sql<{ count: number }>`select (${sql.join(counts, sql` + `)})::int as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Chunks the scope wants that have a vector in another space alone. */
export async function countElsewhere(
  db: AnyDatabase,
  others: readonly VectorSpace[],
  { present, scope }: { readonly present: VectorSpace | undefined; readonly scope: EmbeddingScope },
): Promise<number> {
  if (others.length === 0) return 0;
  const select = (space: VectorSpace) =>
    listVectorSources(space).map((source) => sql`select chunk_id from ${source} and ${describeScope(scope)}`);
  const elsewhere = sql.join(others.flatMap(select), sql` union `);
  const here = present === undefined ? sql`` : sql`except (${sql.join(select(present), sql` union all `)})`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ((${elsewhere}) ${here}) as chunk
  `.execute(db);
  return rows[0]?.count ?? 0;
}

function describeScope(scope: EmbeddingScope) {
  return scope === 'full' ? sql`true` : sql`source_kind = 'session_summary'`;
}
