import type { PoolClient } from 'pg';
import type { SourceKind } from '@steward/contracts';
import { buildRank, type WeightedTerm } from './session-page.store.ts';

export interface SnippetRow {
  readonly sessionId: string;
  readonly documentId: string;
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
  readonly chunkIndex: number;
  readonly occurredAt: Date;
  readonly role: string | null;
  readonly rank: number;
  /** Null when no text was asked for: the column is not read then. */
  readonly content: string | null;
  /** `ts_rank` of each weighted word; empty unless asked for. */
  readonly termRanks: readonly number[];
}

export interface SnippetRequest {
  readonly accountId: string;
  readonly tsquery: string;
  readonly chunkIds: readonly string[];
  readonly terms: readonly WeightedTerm[];
  readonly includeText: boolean;
  readonly explain: boolean;
}

/** The named chunks, in the given order. */
export async function findSnippets(client: PoolClient, request: SnippetRequest): Promise<SnippetRow[]> {
  if (request.chunkIds.length === 0) return [];
  const values: unknown[] = [request.accountId, request.tsquery];
  const param = (value: unknown): string => `$${values.push(value)}`;
  const ranks = request.explain
    ? `array[${request.terms.map(({ term }) => `ts_rank(tsv, ${param(term)}::tsquery, 1)`).join(', ')}]::float8[]`
    : `'{}'::float8[]`;
  const result = await client.query<{
    runtime_session_id: string;
    id: string;
    source_kind: SourceKind;
    source_id: string;
    chunk_index: number;
    occurred_at: Date;
    role: string | null;
    rank: number;
    content: string | null;
    term_ranks: number[];
  }>(
    `select chunk.runtime_session_id, chunk.id, source_kind, source_id, chunk_index, occurred_at, role,
       ${buildRank(request.terms, param)} as rank, ${request.includeText ? 'content' : 'null as content'}, ${ranks} as term_ranks
     from unnest(${param([...request.chunkIds])}::uuid[]) with ordinality as wanted (id, place)
     join search.chunk on chunk.account_id = $1 and chunk.id = wanted.id and tsv @@ $2::tsquery
     order by wanted.place`,
    values,
  );
  return result.rows.map((row) => ({
    sessionId: row.runtime_session_id,
    documentId: row.id,
    sourceKind: row.source_kind,
    sourceId: row.source_id,
    chunkIndex: row.chunk_index,
    occurredAt: row.occurred_at,
    role: row.role,
    rank: row.rank,
    content: row.content,
    termRanks: row.term_ranks,
  }));
}
