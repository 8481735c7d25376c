import type { PoolClient } from 'pg';
import { newId } from '@steward/crypto';
import { runCancellable } from '@steward/database';
import { eventually } from '@steward/testing';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { buildVectorCorpus, createRandom, loadVectors, type CorpusVector } from '../../testing/vector-corpus.ts';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { PlacedSpace } from '../placed-space.ts';
import { writeUnitVector } from '../rules/unit-vector.ts';
import { scanNearest, withScan } from '../store/nearest-chunks.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';
import { makeSegment } from '../store/upkeep.store.ts';
import type { VectorSpace } from '../vector-space.ts';
import { scanSpace } from './scan-space.ts';

const WIDTH = 48;
const COUNT = 8000;
const LIMIT = 10;

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

describe('nearest vectors against an exact comparison in the process', () => {
  let suite: OpenVectors;
  let large: VectorSpace;
  const corpus = buildVectorCorpus(COUNT, WIDTH);
  const random = createRandom(7);
  const queries = Array.from({ length: 8 }, () => {
    const near = corpus[Math.floor(random() * COUNT)]?.vector ?? new Float32Array(WIDTH);
    return near.map((value) => value + 0.5 * (random() - 0.5));
  });

  beforeAll(async () => {
    suite = await openVectors();
    large = await suite.makeSpace(newId(), WIDTH);
    await makeSegment(suite.indexer.db, large.id);
    [large] = (await listSpaces(suite.indexer.db, large.accountId)) as [VectorSpace];
    await loadVectors(suite, large, corpus);
    await suite.query(`analyze search.${String(large.segment)}`);
  }, 300_000);
  afterAll(() => suite.close());

  const inScan = <T>(work: (client: PoolClient, place: PlacedSpace) => Promise<T>): Promise<T> =>
    runCancellable(suite.pools, { timeoutMs: 60_000, signal: new AbortController().signal }, (client) =>
      withScan(client, large.id, (place) => work(client, place)),
    );

  it.each(FILTERS)(
    'with a filter that leaves %s: at least 0.95 of the ten nearest, by the index or exactly, and never fewer than there are',
    async (_leaves, filter, matches) => {
      const left = corpus.filter(matches);
      // 0 leaves everything to the index; the others are what accounts of other widths have.
      for (const exactRows of [0, 500, 20_000]) {
        let hits = 0;
        for (const query of queries) {
          const expected = rank(left, query).slice(0, LIMIT);
          const scan = { filter, limit: LIMIT, unitVector: unit(query) };
          const found = await inScan((client, place) =>
            scanSpace(client, place, scan, { exactRows, mostTuples: 20_000 }),
          );
          expect(found).toHaveLength(expected.length);
          expect(found.map(({ similarity }) => similarity)).toEqual(
            found.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
          );
          const ids = new Set(found.map(({ chunkId }) => chunkId));
          hits += expected.filter(({ chunkId }) => ids.has(chunkId)).length;
        }
        const wanted = queries.length * Math.min(LIMIT, left.length);
        expect([exactRows, hits >= 0.95 * wanted]).toEqual([exactRows, true]);
      }
    },
  );

  it('fills a list longer than the index looks at at once', async () => {
    const limit = 700;
    const scan = { filter: {}, limit, unitVector: unit(queries[0] ?? new Float32Array(WIDTH)) };
    const plan = { exactRows: 0, mostTuples: 20_000 };
    expect(await inScan((client, place) => scanSpace(client, place, scan, plan))).toHaveLength(limit);
  });

  it('reads the index for a large space, and leaves no setting behind', async () => {
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
    // Counted when the connection has been idle for a moment.
    await eventually(async () => (await countScans()) > scansBefore);
  });
});

const unit = (vector: Float32Array): string => writeUnitVector(vector) ?? '';

function rank(corpus: readonly CorpusVector[], query: Float32Array): CorpusVector[] {
  const cosine = (vector: Float32Array): number => {
    let product = 0;
    let squares = 0;
    for (const [index, value] of vector.entries()) {
      product += value * (query[index] ?? 0);
      squares += value * value;
    }
    return product / Math.sqrt(squares);
  };
  return corpus
    .map((each) => ({ each, nearness: cosine(each.vector) }))
    .sort((a, b) => b.nearness - a.nearness)
    .map(({ each }) => each);
}
