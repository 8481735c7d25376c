import type { PoolClient } from 'pg';
import { newId } from '@steward/crypto';
import { runCancellable } from '@steward/database';
import { eventually } from '@steward/testing';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { buildRingQuery, buildVectorCorpus, loadVectors, type CorpusVector } from '../../testing/vector-corpus.ts';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { PlacedSpace } from '../placed-space.ts';
import type { ScanPlan } from '../rules/retrieval.ts';
import { requireUnitVector } from '../rules/unit-vector.ts';
import { scanNearest, withScan } from '../store/nearest-chunks.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';
import { makeSegment } from '../store/upkeep.store.ts';
import type { VectorSpace } from '../vector-space.ts';
import { scanSpace } from './scan-space.ts';

const WIDTH = 48;
const COUNT = 2000;
const LIMIT = 10;
/** Maximum difference between floating-point sums over one vector in different orders. */
const ROUNDING = 1e-6;

const FILTERS: readonly (readonly [leaves: string, filter: ChunkFilter, matches: (vector: CorpusVector) => boolean])[] =
  [
    ['everything', {}, () => true],
    ['half', { modelAlias: 'odd' }, ({ columns }) => columns.model_alias === 'odd'],
    ['a third', { role: 'user' }, ({ columns }) => columns.role === 'user'],
    ['a tenth', { sourceKind: 'tool_call' }, ({ columns }) => columns.source_kind === 'tool_call'],
    [
      'a third of time',
      { startDate: new Date(Date.UTC(2026, 3, 1)), endDate: new Date(Date.UTC(2026, 6, 10)) },
      ({ columns }) => String(columns.occurred_at) >= '2026-04-01' && String(columns.occurred_at) < '2026-07-10',
    ],
    ['a corner', { runtimePrincipalId: 'agent-3' }, ({ columns }) => columns.runtime_principal_id === 'agent-3'],
    ['a hundredth', { providerName: 'seldom' }, ({ columns }) => columns.provider_name === 'seldom'],
    [
      'one key of forty and a role',
      { apiKeyId: '00000000-0000-4000-9000-000000000007', role: 'user' },
      ({ columns }) => columns.api_key_id === '00000000-0000-4000-9000-000000000007' && columns.role === 'user',
    ],
    [
      'one flow',
      { flowId: '00000000-0000-4000-a000-000000000011' },
      ({ columns }) => columns.flow_id === '00000000-0000-4000-a000-000000000011',
    ],
    [
      'one session',
      { sessionId: '00000000-0000-4000-8000-000000000042' },
      ({ columns }) => columns.runtime_session_id === '00000000-0000-4000-8000-000000000042',
    ],
    ['five of one corner', { modelAlias: 'rare' }, ({ columns }) => columns.model_alias === 'rare'],
    ['none', { role: 'nobody' }, () => false],
  ];

/**
 * Plans for different cases: one leaves everything to the index, one has an index scan that stops immediately; the
 * others are plans for spaces of other dimensions.
 */
const PLANS: readonly ScanPlan[] = [
  { exactRows: 0, mostTuples: 20_000, mostChunks: 8000 },
  { exactRows: 0, mostTuples: 1, mostChunks: 8000 },
  { exactRows: 500, mostTuples: 20_000, mostChunks: 8000 },
  { exactRows: 20_000, mostTuples: 20_000, mostChunks: 8000 },
];

describe('nearest vectors, against an exact comparison in the process', () => {
  let suite: OpenVectors;
  let large: VectorSpace;
  const corpus = buildVectorCorpus(COUNT, WIDTH);
  // The queries are between the vectors, all around the ring.
  const queries = Array.from({ length: 8 }, (_, index) => buildRingQuery((index * COUNT) / 8 + 17, COUNT, WIDTH));
  /** Stored vectors by chunk. */
  let stored: Map<string, readonly number[]>;

  beforeAll(async () => {
    suite = await openVectors();
    large = await suite.makeSpace(newId(), WIDTH);
    await makeSegment(suite.indexer.db, large.id);
    [large] = (await listSpaces(suite.indexer.db, large.accountId)) as [VectorSpace];
    await loadVectors(suite, large, corpus);
    await suite.query(`analyze search.${String(large.segment)}`);
    const rows = await suite.query<{ chunk_id: string; vector: string }>(
      `select chunk_id, vector::text from search.${String(large.segment)}`,
    );
    stored = new Map(rows.map(({ chunk_id: id, vector }) => [id, JSON.parse(vector) as number[]]));
  });
  afterAll(() => suite.close());

  const inScan = <T>(work: (client: PoolClient, place: PlacedSpace) => Promise<T>): Promise<T> =>
    runCancellable(suite.pools, { timeoutMs: 60_000, signal: new AbortController().signal }, (client) =>
      withScan(client, large.id, (place) => work(client, place)),
    );

  it.each(FILTERS)(
    'are the ten nearest with a filter that leaves %s, by index or exact comparison, or all if there are fewer',
    async (_leaves, filter, matches) => {
      const left = corpus.filter(matches).map(({ chunkId }) => chunkId);
      for (const plan of PLANS) {
        for (const query of queries) {
          const scan = { filter, limit: LIMIT, unitVector: unit(query) };
          const found = await inScan(async (client, place) => {
            // Sorting is disabled, because for so few vectors the planner would use the index of a filter and sort the
            // result.
            if (plan.exactRows === 0) await client.query('set local enable_sort = off');
            return (await scanSpace(client, place, scan, plan)).chunks;
          });
          expect(found.map(({ similarity }) => similarity)).toEqual(
            found.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
          );
          expect(found.map(({ chunkId }) => chunkId).sort()).toEqual(findNearest(stored, left, query).sort());
        }
      }
    },
  );

  it('fill a list longer than one index scan', async () => {
    const limit = 700;
    const scan = { filter: {}, limit, unitVector: unit(queries[0] ?? new Float32Array(WIDTH)) };
    const plan = { exactRows: 0, mostTuples: 20_000, mostChunks: 8000 };
    const { chunks } = await inScan((client, place) => scanSpace(client, place, scan, plan));
    expect(chunks).toHaveLength(limit);
  });

  it('use the index for a large space, and do not change any setting permanently', async () => {
    const scan = {
      filter: {},
      limit: LIMIT,
      unitVector: unit(queries[0] ?? new Float32Array(WIDTH)),
    };
    const countScans = async () =>
      (
        await suite.query<{ scans: number }>(
          'select idx_scan::int as scans from pg_stat_user_indexes where indexrelname like $1',
          [`${String(large.segment)}%vector_idx`],
        )
      )[0]?.scans ?? 0;
    const scansBefore = await countScans();
    const settings = await runCancellable(
      suite.pools,
      { timeoutMs: 60_000, signal: new AbortController().signal },
      async (client) => {
        const read = async () =>
          (
            await client.query(
              `select current_setting('hnsw.ef_search', true) as ef, current_setting('plan_cache_mode') as plans,
                 current_setting('hnsw.iterative_scan', true) as iterative, current_setting('transaction_isolation') as isolation`,
            )
          ).rows[0] as object;
        await client.query(`select '[1]'::halfvec`);
        const before = await read();
        await withScan(client, large.id, (place) => scanNearest(client, place, scan, 'index'));
        await expect(
          withScan(client, large.id, () => client.query('select 1 / 0') as unknown as Promise<never>),
        ).rejects.toThrow('division by zero');
        return [before, await read()];
      },
    );
    expect(settings[1]).toEqual(settings[0]);
    // The statistics are read after the connection has been idle for a moment.
    await eventually(async () => (await countScans()) > scansBefore);
  });
});

const unit = (vector: Float32Array): Buffer => requireUnitVector(vector, WIDTH);

/** Returns the nearest of these chunks, found by comparing the query with each of them. */
function findNearest(
  stored: ReadonlyMap<string, readonly number[]>,
  chunkIds: readonly string[],
  query: Float32Array,
): string[] {
  const packed = unit(query);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const halves = Array.from(query, (_, index) => view.getFloat16(4 + 2 * index));
  const ranked = chunkIds
    .map((id) => ({ id, nearness: (stored.get(id) ?? []).reduce((sum, v, i) => sum + v * (halves[i] ?? 0), 0) }))
    .sort((a, b) => b.nearness - a.nearness);
  const [last, next] = ranked.slice(LIMIT - 1);
  if (last !== undefined && next !== undefined && last.nearness - next.nearness < ROUNDING)
    throw new Error('the tenth and the eleventh are as near: the right answer is not certain');
  return ranked.slice(0, LIMIT).map(({ id }) => id);
}
