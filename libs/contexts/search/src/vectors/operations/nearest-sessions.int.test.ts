import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { openVectors } from '../../testing/open-vectors.ts';
import { loadVectors, placeOnArc, type CorpusVector } from '../../testing/vector-corpus.ts';
import { makeSegment } from '../store/upkeep.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';
import type { VectorSpace } from '../vector-space.ts';
import { findNearestSessions } from './find-nearest-sessions.ts';
import { findSimilarSessions } from './find-similar-sessions.ts';

const WIDTH = 8;
const LONG_CHUNKS = 250;
const options = { timeoutMs: 60_000, signal: new AbortController().signal };

const place = (sessionId: string, angle: number): CorpusVector => placeOnArc(sessionId, angle, WIDTH);
const query = Float32Array.from({ length: WIDTH }, (_, index) => (index === 0 ? 1 : 0));
const makeIds = (count: number): string[] => Array.from({ length: count }, () => newId());
/** Returns chunks of sessions at increasing distances, each with more chunks than a scan returns. */
const makeLong = (ids: readonly string[], chunks = LONG_CHUNKS): CorpusVector[] =>
  ids.flatMap((id, session) =>
    Array.from({ length: chunks }, (_, index) => place(id, 0.01 * (session + 1) + (0.009 * index) / chunks)),
  );
const makeShort = (ids: readonly string[]): CorpusVector[] => ids.map((id, index) => place(id, 1 + 0.01 * index));

describe.each(['the shared table', 'a table of its own'])('long sessions near the query, in %s (SRCH-37)', (kept) => {
  const suite = useOpened(openVectors);

  async function load(corpus: readonly CorpusVector[]): Promise<VectorSpace> {
    const made = await suite().makeSpace(newId(), WIDTH);
    if (kept === 'the shared table') {
      await loadVectors(suite(), made, corpus);
      return made;
    }
    await makeSegment(suite().indexer.db, made.id);
    const [space] = (await listSpaces(suite().indexer.db, made.accountId)) as [VectorSpace];
    await loadVectors(suite(), space, corpus);
    await suite().query(`analyze search.${String(space.segment)}`);
    return space;
  }
  const find = (space: VectorSpace, sessions: number, enough?: number) =>
    findNearestSessions(suite().pools, { space, vector: query, filter: {}, sessions, enough }, options);
  const idsOf = (chunks: readonly { readonly sessionId: string }[]) => [
    ...new Set(chunks.map(({ sessionId }) => sessionId)),
  ];

  it.each([1, 3, 8])('do not hide other sessions if there are %i long sessions', async (long) => {
    const [longIds, shortIds] = [makeIds(long), makeIds(12)];
    const found = await find(await load([...makeLong(longIds), ...makeShort(shortIds)]), 100);
    expect(new Set(idsOf(found.chunks))).toEqual(new Set([...longIds, ...shortIds]));
    expect(found.isCut).toBe(false);
  });

  it('are limited to the requested number, nearest first; the response reports that more follow', async () => {
    const [longIds, shortIds] = [makeIds(7), makeIds(40)];
    const found = await find(await load([...makeLong(longIds), ...makeShort(shortIds)]), 10);
    // Only the sessions are compared: an index that walks a graph may miss the nearest of many similar chunks of one
    // session.
    expect(new Set(idsOf(found.chunks).slice(0, 10))).toEqual(new Set([...longIds, ...shortIds.slice(0, 3)]));
    expect(found.isCut).toBe(true);
  });

  it('are the only ones examined if they are sufficient; the response reports that there may be more', async () => {
    const [longIds, shortIds] = [makeIds(1), makeIds(12)];
    const space = await load([...makeLong(longIds), ...makeShort(shortIds)]);
    const found = await find(space, 100, 1);
    expect(idsOf(found.chunks)).toEqual(longIds);
    expect(found.isCut).toBe(true);
    expect(new Set(idsOf((await find(space, 100, 2)).chunks)).size).toBeGreaterThan(1);
  });

  it('do not hide similar sessions', async () => {
    const [own, long, ...others] = makeIds(6) as [string, string, ...string[]];
    const space = await load([place(own, 0), ...makeLong([long]), ...makeShort(others)]);
    const similar = await findSimilarSessions(
      suite().pools,
      { space, sessionId: own, filter: {}, limit: 5, chunksPerSession: 2 },
      options,
    );
    expect(similar).toMatchObject({
      kind: 'found',
      sessions: [long, ...others].map((sessionId) => ({ sessionId })),
    });
  });
});
