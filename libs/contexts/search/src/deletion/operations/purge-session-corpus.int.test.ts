import { newId } from '@steward/crypto';
import { APP_ROLES, transact, type Database } from '@steward/database';
import { readWalkPage } from '../../embedding/store/embeddable-chunk.store.ts';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { findSimilarSessions } from '../../vectors/operations/find-similar-sessions.ts';
import { makeSegment, moveVectors } from '../../vectors/store/upkeep.store.ts';
import { listSpaces } from '../../vectors/store/vector-space.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import { hideSessions } from '../store/deleted-session.store.ts';
import { purgeSessionCorpus } from './purge-session-corpus.ts';

const NORTH = Float32Array.from([1, 0, 0, 0]);
let suite: OpenVectors;
let sweeper: Database;
beforeAll(async () => {
  suite = await openVectors();
  sweeper = suite.connectAs(APP_ROLES.backfillSweeper);
});
afterAll(() => suite.close());

const hide = (space: VectorSpace, sessionId: string) =>
  transact(sweeper, (trx) => hideSessions(trx, space.accountId, [sessionId]));
const purge = (space: VectorSpace, sessionId: string, limit: number) =>
  transact(sweeper, (trx) => purgeSessionCorpus(trx, { accountId: space.accountId, sessionId }, limit));
const listNearest = async (space: VectorSpace) => (await suite.nearest(space, NORTH)).map((chunk) => chunk.sessionId);
const listAlike = async (space: VectorSpace, sessionId: string) => {
  const query = { space, sessionId, filter: {}, limit: 5, chunksPerSession: 1 };
  const found = await findSimilarSessions(suite.pools, query, {
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  });
  return found.kind === 'found' ? found.sessions.map((each) => each.sessionId) : found.kind;
};
const countVectors = async (space: VectorSpace, segment: string) => {
  const [row] = await suite.query<{ rows: number }>(
    `select (select count(*)::int from search.chunk_vector where space_id = $1) + (select count(*)::int from search.${segment}) as rows`,
    [space.id],
  );
  return row?.rows;
};

describe('the corpus of a deleted session (SESS-20)', () => {
  it('is not found by semantic search after the commit, and is deleted with its vectors in every table', async () => {
    const space = await suite.makeSpace(newId(), 4);
    const [own, kept] = [newId(), newId()];
    const gone = newId();
    for (const runtimeSessionId of [own, kept, gone, gone, gone]) await suite.tell(space, NORTH, { runtimeSessionId });
    await makeSegment(suite.indexer.db, space.id);
    const [placed] = await listSpaces(suite.indexer.db, space.accountId);
    const segment = String(placed?.segment);
    await moveVectors(suite.indexer.db, { id: space.id, segment, limit: 3 });
    expect((await listNearest(space)).filter((id) => id === gone)).toHaveLength(3);
    expect(await listAlike(space, own)).toEqual(expect.arrayContaining([kept, gone]));

    await hide(space, gone);
    expect((await listNearest(space)).sort()).toEqual([own, kept].sort());
    expect(await listAlike(space, own)).toEqual([kept]);
    expect(await countVectors(space, segment)).toBe(5);
    expect(await purge(space, gone, 2)).toEqual({ rows: 2, isDone: false });
    expect(await countVectors(space, segment)).toBe(3);
    expect(await purge(space, gone, 2)).toEqual({ rows: 1, isDone: true });
    expect(await countVectors(space, segment)).toBe(2);
    expect((await listNearest(space)).sort()).toEqual([own, kept].sort());
  });

  it('is not sent to any provider', async () => {
    const accountId = newId();
    const { source } = await suite.write(accountId, 'a text on its way out');
    const other = await suite.write(accountId, 'a text that stays');
    await transact(sweeper, (trx) => hideSessions(trx, accountId, [source.runtimeSessionId]));
    const page = await transact(suite.indexer, (trx) =>
      readWalkPage(trx, {
        accountId,
        scope: 'full',
        space: undefined,
        after: '00000000-0000-0000-0000-000000000000',
        limit: 10,
      }),
    );
    expect(page.texts.map(({ text }) => text)).toEqual(['a text that stays']);
    expect(other.source.runtimeSessionId).not.toBe(source.runtimeSessionId);
  });
});
