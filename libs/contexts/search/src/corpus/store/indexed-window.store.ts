import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface IndexedWindow {
  /** Time of the oldest chunk; null if there are no chunks. */
  readonly oldest: Date | null;
  /** Time of the newest chunk; null if there are no chunks. */
  readonly newest: Date | null;
  /**
   * Times of the oldest and newest chunk with only metadata in the requested range; null if there are no such chunks.
   */
  readonly metadataOnlyFrom: Date | null;
  readonly metadataOnlyThrough: Date | null;
  /**
   * Number of sources in the requested range of which only head and tail are in the corpus, counted up to
   * `MOST_TRUNCATED`.
   */
  readonly truncatedSources: number;
}

/** Number up to which truncated sources are counted. */
const MOST_TRUNCATED = 1000;

export interface TimeRange {
  /** Start of the range, inclusive. */
  readonly startDate?: Date | undefined;
  /** End of the range, exclusive. */
  readonly endDate?: Date | undefined;
}

/**
 * Selects both ends of an account's corpus as one row, with four index lookups and a bounded count, whatever the size
 * of the corpus.
 */
export function selectIndexedWindow(accountId: string, range: TimeRange = {}): RawBuilder<IndexedWindow> {
  const { startDate = '-infinity', endDate = 'infinity' } = range;
  const own = sql`select occurred_at from search.chunk where account_id = ${accountId}`;
  const inRange = sql`occurred_at >= ${startDate}::timestamptz and occurred_at < ${endDate}::timestamptz`;
  const metadataOnly = sql`${own} and redaction_state = 'metadata_only' and ${inRange}`;
  return sql<IndexedWindow>`
    select (${own} order by occurred_at, id limit 1) as oldest,
      (${own} order by occurred_at desc, id desc limit 1) as newest,
      (${metadataOnly} order by occurred_at limit 1) as "metadataOnlyFrom",
      (${metadataOnly} order by occurred_at desc limit 1) as "metadataOnlyThrough",
      (select count(*) from (${own} and tail_omitted and ${inRange} limit ${sql.lit(MOST_TRUNCATED)}) cut)::int as "truncatedSources"`;
}

interface StoredHash {
  readonly source_kind: string;
  readonly source_id: string;
  readonly content_hash: Buffer;
}

interface NamedSource {
  readonly sourceKind: string;
  readonly sourceId: string;
}

/** Returns the hash of the stored state of each source, by `kind:id`; sources without chunks are not included. */
export async function listIndexedSources(
  db: AnyDatabase,
  accountId: string,
  sources: readonly NamedSource[],
): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await selectIndexedSources(accountId, sources).execute(db);
  return new Map(rows.map((row) => [`${row.source_kind}:${row.source_id}`, row.content_hash]));
}

/**
 * Selects hashes of sources, each looked up by its key: a join would read all chunks of a large account, which would
 * take a quarter of the time of a sweep. The account id is in a subquery, so that the planner does not know its value:
 * for an account that is not in the statistics yet, the planner would expect a single chunk and use any index that
 * starts with the account, so that each lookup would read all chunks of the account.
 */
export function selectIndexedSources(accountId: string, sources: readonly NamedSource[]): RawBuilder<StoredHash> {
  return sql<StoredHash>`
    select wanted.source_kind, wanted.source_id, chunk.content_hash
    from unnest(${sources.map((source) => source.sourceKind)}::text[], ${sources.map((source) => source.sourceId)}::text[])
      as wanted (source_kind, source_id)
    cross join lateral (
      select content_hash from search.chunk where account_id = (select ${accountId}::uuid) and source_kind = wanted.source_kind
        and source_id = wanted.source_id and chunk_index = 0
      limit 1
    ) chunk
  `;
}

/**
 * Returns the sessions that have content in the corpus, not only a title or summary; looks up each session in an index.
 */
export async function listSessionsWithContentChunks(
  db: AnyDatabase,
  accountId: string,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${[...sessionIds]}::uuid[]) wanted (id) where exists (
      select from search.chunk where account_id = ${accountId} and runtime_session_id = wanted.id
        and source_kind <> 'session_summary'
    )
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}
