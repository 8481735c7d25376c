import { newId } from '@steward/crypto';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { buildVectorCorpus, loadVectors } from '../../testing/vector-corpus.ts';
import { countExactVectors, MOVED_AT_ONCE } from '../rules/retrieval.ts';
import { makeSegment } from '../store/upkeep.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';
import type { VectorSpace } from '../vector-space.ts';
import { createSpaceGrowth } from './grow-spaces.ts';

describe('growing vector spaces', () => {
  let suite: OpenVectors;
  let now = Date.now();
  const warnings: unknown[] = [];
  beforeAll(async () => {
    suite = await openVectors();
  });
  beforeEach(() => warnings.splice(0));
  afterAll(() => suite.close());

  const growth = () =>
    createSpaceGrowth({
      db: suite.indexer.db,
      logger: { warn: (...line) => warnings.push(line) },
      clock: { now: () => new Date(now) },
      random: () => 0.5,
    });
  const hasSegment = async (space: VectorSpace) =>
    (await listSpaces(suite.indexer.db, space.accountId))[0]?.segment !== null;

  it('get a table once they are too large for a scan, and not before', async () => {
    const space = await suite.makeSpace(newId(), 3);
    const most = countExactVectors(3);
    const corpus = buildVectorCorpus(most + 1, 3);
    await loadVectors(suite, space, corpus.slice(1));
    const grow = growth().beginRun();
    expect([await grow(), await hasSegment(space)]).toEqual([0, false]);
    await loadVectors(suite, space, corpus.slice(0, 1));
    expect([await grow(), await hasSegment(space)]).toEqual([MOVED_AT_ONCE, true]);
    await suite.query('delete from search.chunk_vector where space_id = $1', [space.id]);
  });

  it('are not counted cumulatively: vectors that were written and deleted again create no table', async () => {
    const space = await suite.makeSpace(newId(), 3);
    await suite.query('update search.vector_space set written = 1000000 where id = $1', [space.id]);
    await growth().beginRun()();
    const [found] = await suite.query('select segment, written from search.vector_space where id = $1', [space.id]);
    expect(found).toEqual({ segment: null, written: 0 });
  });

  it('are skipped for a while if they are locked, and checked again later', async () => {
    const space = await suite.makeSpace(newId(), 3);
    await loadVectors(suite, space, buildVectorCorpus(countExactVectors(3) + 1, 3));
    const grow = growth().beginRun();
    const holder = await suite.indexer.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from search.vector_space where id = $1 for key share', [space.id]);
      await grow();
      const postponed = { space_id: space.id, attempts: 1, wait_ms: 5000 };
      expect(warnings).toEqual([['vectors.segment_postponed', postponed]]);
      await grow();
      expect(warnings).toHaveLength(1);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await grow();
    expect(await hasSegment(space)).toBe(false);
    now += 5000;
    expect([await grow(), await hasSegment(space)]).toEqual([MOVED_AT_ONCE, true]);
    expect(warnings).toHaveLength(1);
    await suite.query('delete from search.chunk_vector where space_id = $1', [space.id]);
  });

  it('are moved in the order of ids; vectors written before the position of a run are moved at its end', async () => {
    const space = await suite.makeSpace(newId(), 3);
    await makeSegment(suite.indexer.db, space.id);
    const insert = (from: number, count: number) =>
      suite.query(
        `insert into search.chunk_vector (space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, vector)
         select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, now(), now(), 'tool_call', '[1,0,0]'
         from generate_series($2::int, $3::int) n`,
        [space.id, from, from + count - 1],
      );
    const isWaiting = async (n: number) =>
      (
        await suite.query('select from search.chunk_vector where space_id = $1 and chunk_id::text like $2', [
          space.id,
          `%${String(n).padStart(12, '0')}`,
        ])
      ).length > 0;
    await insert(10, 2 * MOVED_AT_ONCE + 1);
    const grow = growth().beginRun();
    expect(await grow()).toBe(MOVED_AT_ONCE);
    await insert(1, 1);
    expect([await grow(), await isWaiting(1)]).toEqual([MOVED_AT_ONCE, true]);
    expect([await grow(), await isWaiting(1)]).toEqual([1, true]);
    expect([await grow(), await isWaiting(1)]).toEqual([1, false]);
    expect(await grow()).toBe(0);
  });
});
