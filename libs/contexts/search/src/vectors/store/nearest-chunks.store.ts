import type { PoolClient, QueryResult } from 'pg';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import { listConditions } from '../../keyword/store/match-conditions.store.ts';
import type { NearestChunk } from '../nearest-chunk.ts';
import type { PlacedSpace } from '../placed-space.ts';
import { describeExclusion, type Exclusion } from './excluded-chunk.store.ts';

export interface NearestScan {
  /** A vector packed by `packUnitVector`, or the text form of a stored vector. */
  readonly unitVector: Buffer | string;
  readonly filter: ChunkFilter;
  readonly asOf?: Date | undefined;
  readonly exceptSessionIds?: readonly string[] | undefined;
  readonly exceptChunkIds?: readonly string[] | undefined;
  readonly limit: number;
}

interface NearestRow {
  readonly chunk_id: string;
  readonly runtime_session_id: string;
  readonly occurred_at: Date;
  readonly distance: number;
}

interface PlaceRow {
  readonly accountId: string;
  readonly segment: string | null;
  readonly rows: number | null;
  readonly deleted: readonly string[];
}

/** Values for a space that no longer exists; the account id belongs to no account. */
const NOWHERE: PlaceRow = { accountId: '00000000-0000-0000-0000-000000000000', segment: null, rows: null, deleted: [] };
const UUID = /^[0-9a-f-]{36}$/;
/** Maximum memory of a resumed index scan, as a multiple of `work_mem`. */
const MEMORY_MULTIPLIER = 4;

/**
 * Runs scans of a space in one transaction, at whose end the settings are reset. All scans use one snapshot, so the
 * location of the vectors stays valid while vectors are moved. One round trip begins the transaction and reads this
 * location. Generic plans are disabled, since they would take neither the selectivity of a filter nor the size of a
 * space into account.
 */
export async function withScan<T>(
  client: PoolClient,
  spaceId: string,
  work: (place: PlacedSpace) => Promise<T>,
): Promise<T> {
  if (!UUID.test(spaceId)) throw new TypeError('not the id of a space');
  try {
    const results: unknown = await client.query(
      `begin isolation level repeatable read read only; set local plan_cache_mode = force_custom_plan;
       set local hnsw.iterative_scan = relaxed_order;
       set local hnsw.scan_mem_multiplier = ${MEMORY_MULTIPLIER};
       select account_id as "accountId", segment, reltuples as rows, array(
           select runtime_session_id from search.deleted_session where deleted_session.account_id = vector_space.account_id
         ) as deleted
         from search.vector_space left join pg_class on pg_class.oid = to_regclass('search.' || segment)
         where id = '${spaceId}'`,
    );
    const last = (results as readonly QueryResult<PlaceRow>[]).at(-1);
    const { accountId, segment, rows, deleted: deletedSessionIds } = last?.rows[0] ?? NOWHERE;
    return await work({ spaceId, accountId, segment, segmentRows: Math.max(0, rows ?? 0), deletedSessionIds });
  } finally {
    // After a cancelled statement the commit rolls back and resets the settings.
    await client.query('commit').catch(() => undefined);
  }
}

export interface IndexTuning {
  /** Number of candidates that the index keeps during the search (`hnsw.ef_search`). */
  readonly candidates: number;
  /** Approximate maximum number of rows that the scan visits (`hnsw.max_scan_tuples`). */
  readonly mostTuples: number;
}

/** Sets the parameters of the index scan within `withScan`. */
export async function tuneIndex(client: PoolClient, { candidates, mostTuples }: IndexTuning): Promise<void> {
  await client.query(
    `set local hnsw.ef_search = ${Math.round(candidates)}; set local hnsw.max_scan_tuples = ${Math.round(mostTuples)}`,
  );
}

/**
 * Returns the nearest vectors of the shared table and of the segment in one statement, so that a vector that is being
 * moved between them is read exactly once. The result is exact, unless the segment is read through its index.
 */
export async function scanNearest(
  client: PoolClient,
  place: PlacedSpace,
  scan: NearestScan,
  way: 'exact' | 'index',
): Promise<NearestChunk[]> {
  const { values, param, selectFrom } = prepareScan(scan, place);
  const limit = `${param(scan.limit)}::int`;
  const order = (by: string): string => `order by ${by} limit ${limit}`;
  // The planner uses the index only for the operator without `+ 0`.
  const parts = selectFrom({
    shared: order('vector <#> $1::halfvec'),
    segment: order(`(vector <#> $1::halfvec)${way === 'exact' ? ' + 0' : ''}`),
  });
  // A resumed index scan does not return rows in order, although the planner assumes that it does.
  const { rows } = await client.query<NearestRow>(
    `select * from (${parts}) nearest order by distance + 0, chunk_id limit ${limit}`,
    values,
  );
  return rows.map(readRow);
}

/**
 * Returns the nearest vectors, as the exact scan does, and a few chunks of each of the nearest sessions, even if one
 * session has most of the nearest chunks: comparing the vectors is the expensive part, so it is done only once.
 */
export async function scanNearestAndSessions(
  client: PoolClient,
  place: PlacedSpace,
  { sessions, mostOfEach, ...scan }: NearestScan & { readonly sessions: number; readonly mostOfEach: number },
): Promise<NearestChunk[]> {
  const { values, param, selectFrom } = prepareScan(scan, place);
  const { rows } = await client.query<NearestRow>(
    `with scanned as materialized (${selectFrom({ shared: '', segment: '' })})
     (select * from scanned order by distance, chunk_id limit ${param(scan.limit)}::int)
     union
     select chunk_id, runtime_session_id, occurred_at, distance from (
       select *, row_number() over (partition by runtime_session_id order by distance, chunk_id) as place from scanned
       where runtime_session_id = any (array(
         select runtime_session_id from scanned group by 1 order by min(distance), 1 limit ${param(sessions)}::int
       ))
     ) of_each where place <= ${param(mostOfEach)}
     order by distance, chunk_id`,
    values,
  );
  return rows.map(readRow);
}

export interface NearestOfEachScan extends NearestScan {
  readonly mostOfEach: number;
  readonly excluded: Exclusion | undefined;
  /** Number of nearest rows read with the index; undefined to read all rows with an exact scan. */
  readonly look?: number | undefined;
}

/**
 * Returns the nearest vectors, limited to a number per session: of all vectors that pass the filter, or of those that
 * the index finds.
 */
export async function scanNearestOfEach(
  client: PoolClient,
  place: PlacedSpace,
  { mostOfEach, look, ...scan }: NearestOfEachScan,
): Promise<NearestChunk[]> {
  // The excluded sessions are near the query: an index scan that had to skip them might read all remaining rows.
  const { filter, asOf, unitVector } = scan;
  const { values, param, selectFrom } = prepareScan(
    look === undefined ? scan : { filter, asOf, unitVector },
    place,
    look === undefined ? scan.excluded : undefined,
  );
  const order = (by: string): string => (look === undefined ? '' : `order by ${by} limit ${param(look)}::int`);
  const byOperator = order('vector <#> $1::halfvec');
  const scanned = selectFrom({ shared: byOperator, segment: byOperator });
  const leftOut = look === undefined ? [] : describeLeftOut(scan, scan.excluded, param);
  const { rows } = await client.query<NearestRow>(
    `with scanned as materialized (${scanned})
     select * from (
       select *, row_number() over (partition by runtime_session_id order by distance, chunk_id) as place
       from scanned where ${[...leftOut, 'true'].join(' and ')}
     ) of_each where place <= ${param(mostOfEach)} order by distance, chunk_id limit ${param(scan.limit)}::int`,
    values,
  );
  return rows.map(readRow);
}

/** Returns the common parts of scans: parameter values (the first is the vector) and the subqueries on both tables. */
function prepareScan(scan: Omit<NearestScan, 'limit'>, place: PlacedSpace, excluded?: Exclusion) {
  const { spaceId, accountId, segment, deletedSessionIds } = place;
  const values: unknown[] = [scan.unitVector];
  const param = (value: unknown): string => `$${values.push(value)}`;
  const conditions = listConditions({ accountId, filter: scan.filter }, param);
  if (scan.asOf !== undefined) conditions.push(`written_at <= ${param(scan.asOf)}`);
  conditions.push(...describeLeftOut(scan, excluded, param));
  if (deletedSessionIds.length > 0) conditions.push(`runtime_session_id <> all (${param(deletedSessionIds)}::uuid[])`);
  const ofSpace = `space_id = ${param(spaceId)}`;
  const select = (table: string, more: readonly string[], end: string): string =>
    `(select chunk_id, runtime_session_id, occurred_at, vector <#> $1::halfvec as distance from search.${table}
      where ${[...more, ...conditions, 'true'].join(' and ')} ${end})`;
  const selectFrom = (ends: { readonly shared: string; readonly segment: string }): string =>
    [
      select('chunk_vector', [ofSpace], ends.shared),
      ...(segment === null ? [] : [select(segment, [], ends.segment)]),
    ].join(' union all ');
  return { values, param, selectFrom };
}

function describeLeftOut(
  { exceptChunkIds = [], exceptSessionIds = [] }: Pick<NearestScan, 'exceptChunkIds' | 'exceptSessionIds'>,
  excluded: Exclusion | undefined,
  param: (value: unknown) => string,
): string[] {
  return [
    ...(exceptSessionIds.length > 0 ? [`runtime_session_id <> all (${param(exceptSessionIds)}::uuid[])`] : []),
    ...(exceptChunkIds.length > 0 ? [`chunk_id <> all (${param(exceptChunkIds)}::uuid[])`] : []),
    ...(excluded === undefined ? [] : [describeExclusion(excluded, param)]),
  ];
}

function readRow(row: NearestRow): NearestChunk {
  return {
    chunkId: row.chunk_id,
    sessionId: row.runtime_session_id,
    occurredAt: row.occurred_at,
    similarity: Math.min(1, -row.distance),
  };
}

/** Returns the number of rows of a segment that pass a filter, according to the planner's statistics. */
export async function estimateFiltered(
  client: PoolClient,
  { accountId, segment }: Pick<PlacedSpace, 'accountId'> & { readonly segment: string },
  filter: ChunkFilter,
): Promise<number> {
  const values: unknown[] = [];
  const conditions = listConditions({ accountId, filter }, (value) => `$${values.push(value)}`);
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select from search.${segment} where ${[...conditions, 'true'].join(' and ')}`,
    values,
  );
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
