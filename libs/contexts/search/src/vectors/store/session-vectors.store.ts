import type { PoolClient } from 'pg';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { PlacedSpace } from '../placed-space.ts';
import { listConditions } from '../../keyword/store/match-conditions.store.ts';

export interface SessionChunk {
  readonly chunkId: string;
  readonly isSummary: boolean;
}

/** Returns chunks of a session that have a vector, oldest first. */
export async function listSessionChunks(
  client: PoolClient,
  place: PlacedSpace,
  { sessionId, limit }: { readonly sessionId: string; readonly limit: number },
): Promise<SessionChunk[]> {
  const { rows } = await client.query<{ chunk_id: string; is_summary: boolean }>(
    `select chunk_id, source_kind = 'session_summary' as is_summary
     from (${selectFrom(place, 'chunk_id, source_kind, occurred_at', 'runtime_session_id = $2')}) own
     order by occurred_at, chunk_id limit $3`,
    [place.spaceId, sessionId, limit],
  );
  return rows.map((row) => ({ chunkId: row.chunk_id, isSummary: row.is_summary }));
}

/** Returns the vectors of chunks, in text form. */
export async function readVectors(
  client: PoolClient,
  place: PlacedSpace,
  chunkIds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ vector: string }>(
    `select vector::text as vector from (${selectFrom(place, 'vector', 'chunk_id = any ($2)')}) own`,
    [place.spaceId, chunkIds],
  );
  return rows.map(({ vector }) => vector);
}

export interface SessionLikeness {
  readonly sessionId: string;
  /** Mean, over all probes, of the probe's similarity to the session's nearest chunk. */
  readonly similarity: number;
  /** The session's chunks that are nearest to any probe, best first. */
  readonly chunks: readonly { readonly chunkId: string; readonly similarity: number }[];
}

/** Compares the newest chunks of each session with all probes. The result is not sorted. */
export async function compareSessions(
  client: PoolClient,
  place: PlacedSpace,
  asked: {
    readonly probes: readonly string[];
    readonly sessionIds: readonly string[];
    readonly filter: ChunkFilter;
    readonly chunksPerSession: number;
    readonly shownPerSession: number;
  },
): Promise<SessionLikeness[]> {
  const values: unknown[] = [place.spaceId, asked.sessionIds, asked.probes];
  const param = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    'runtime_session_id = any ($2)',
    ...listConditions({ ...place, filter: asked.filter }, param),
  ].join(' and ');
  const columns = 'chunk_id, runtime_session_id, occurred_at, vector';
  const { rows } = await client.query<{
    session_id: string;
    similarity: number;
    chunk_ids: string[];
    nearness: number[];
  }>(
    `with own as (
       select *, row_number() over (partition by runtime_session_id order by occurred_at desc, chunk_id desc) as place
       from (${selectFrom(place, columns, conditions)}) vectors
     ), compared as materialized (
       select runtime_session_id, chunk_id, probe.number, -(own.vector <#> probe.vector::halfvec) as similarity
       from own cross join unnest($3::text[]) with ordinality probe (vector, number)
       where place <= ${param(asked.chunksPerSession)}
     ), session as (
       select runtime_session_id, avg(nearest) as similarity from (
         select runtime_session_id, max(similarity) as nearest from compared group by runtime_session_id, number
       ) by_probe group by runtime_session_id
     ), chunk as (
       select *, row_number() over (partition by runtime_session_id order by similarity desc, chunk_id) as place from (
         select runtime_session_id, chunk_id, max(similarity) as similarity from compared group by runtime_session_id, chunk_id
       ) by_chunk
     )
     select session.runtime_session_id as session_id, session.similarity,
       array_agg(chunk_id order by place) as chunk_ids, array_agg(chunk.similarity order by place) as nearness
     from session join chunk using (runtime_session_id)
     where place <= ${param(asked.shownPerSession)}
     group by session.runtime_session_id, session.similarity`,
    values,
  );
  return rows.map((row) => ({
    sessionId: row.session_id,
    similarity: row.similarity,
    chunks: row.chunk_ids.map((chunkId, index) => ({ chunkId, similarity: row.nearness[index] ?? 0 })),
  }));
}

/** Returns a subquery on the shared table and the segment; $1 is the space. */
function selectFrom({ segment }: PlacedSpace, columns: string, conditions: string): string {
  const shared = `select ${columns} from search.chunk_vector where space_id = $1 and ${conditions}`;
  return segment === null ? shared : `${shared} union all select ${columns} from search.${segment} where ${conditions}`;
}
