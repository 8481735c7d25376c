import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import { openVectors } from '../../testing/open-vectors.ts';
import { makeSegment, moveVectors } from '../store/upkeep.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';
import type { VectorSpace } from '../vector-space.ts';
import { findSimilarSessions } from './find-similar-sessions.ts';

const GREETING = [1, 0, 0, 0];

describe('findSimilarSessions', () => {
  const suite = useOpened(openVectors);

  /** Adds a session with chunks that have these vectors. */
  async function tell(space: VectorSpace, vectors: readonly (readonly number[])[], occurredAt = new Date()) {
    const runtimeSessionId = newId();
    const chunkIds: string[] = [];
    for (const vector of vectors) {
      const told = await suite().tell(space, Float32Array.from(vector), { runtimeSessionId, occurredAt });
      chunkIds.push(told.chunkId);
    }
    return { id: runtimeSessionId, chunkIds };
  }
  async function find(space: VectorSpace, sessionId: string, filter: ChunkFilter = {}) {
    const query = { space, sessionId, filter, limit: 5, chunksPerSession: 2 };
    const options = { timeoutMs: 20_000, signal: new AbortController().signal };
    const found = await findSimilarSessions(suite().pools, query, options);
    return found.kind === 'found' ? found.sessions : found.kind;
  }

  it('compares whole sessions, in every table: a common greeting has no effect', async () => {
    const space = await suite().makeSpace(newId(), 4);
    const own = await tell(space, [GREETING, [0, 1, 0, 0], [0, 0, 1, 0]]);
    const greeted = await tell(space, [GREETING, [0, 0, 0, 1]]);
    const alike = await tell(space, [GREETING, [0, 0.9, 0.1, 0], [0, 0.1, 0.9, 0]]);
    const before = await find(space, own.id);
    expect(before).toMatchObject([{ sessionId: alike.id }, { sessionId: greeted.id }]);
    expect(before).toMatchObject([
      { similarity: expect.closeTo(0.996, 2) as number },
      { similarity: expect.closeTo(1 / 3, 2) as number },
    ]);
    expect(before[0]).toMatchObject({ chunks: [{ chunkId: alike.chunkIds[0], similarity: 1 }, {}] });
    await makeSegment(suite().indexer.db, space.id);
    const [{ segment = null } = { segment: null }] = await listSpaces(suite().indexer.db, space.accountId);
    await moveVectors(suite().indexer.db, { id: space.id, segment: String(segment), limit: 4 });
    expect(await find(space, own.id)).toEqual(before);
    await moveVectors(suite().indexer.db, { id: space.id, segment: String(segment), limit: 100 });
    expect(await find(space, own.id)).toEqual(before);
  });

  it('respects the filter, and reports a session without vectors', async () => {
    const space = await suite().makeSpace(newId(), 4);
    const own = await tell(space, [GREETING]);
    await tell(space, [GREETING], new Date('2026-01-01'));
    const late = await tell(space, [GREETING], new Date('2026-11-01'));
    const found = await find(space, own.id, { startDate: new Date('2026-10-01') });
    expect(found).toMatchObject([{ sessionId: late.id }]);
    expect(await find(space, newId())).toBe('not_embedded');
  });
});
