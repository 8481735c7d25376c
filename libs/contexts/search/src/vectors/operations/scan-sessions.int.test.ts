import { newId } from '@steward/crypto';
import { runCancellable } from '@steward/database';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { loadVectors, placeOnArc } from '../../testing/vector-corpus.ts';
import { requireUnitVector } from '../rules/unit-vector.ts';
import { withScan } from '../store/nearest-chunks.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';
import { makeSegment } from '../store/upkeep.store.ts';
import type { VectorSpace } from '../vector-space.ts';
import { scanSessions } from './scan-sessions.ts';

const WIDTH = 8;
const CHUNKS = 60;
/** Number of sessions; the chunks of each are close to each other, as if they had the same subject. */
const SESSIONS = 20;
const LIMIT = 40;

describe('long sessions of equal chunks, in a space too large to be compared completely (SRCH-37)', () => {
  let suite: OpenVectors;
  let space: VectorSpace;
  const ids = Array.from({ length: SESSIONS }, () => newId());
  beforeAll(async () => {
    suite = await openVectors();
    const made = await suite.makeSpace(newId(), WIDTH);
    await makeSegment(suite.indexer.db, made.id);
    [space] = (await listSpaces(suite.indexer.db, made.accountId)) as [VectorSpace];
    const corpus = ids.flatMap((id, session) =>
      Array.from({ length: CHUNKS }, (_, index) => placeOnArc(id, 0.02 * session + (0.01 * index) / CHUNKS, WIDTH)),
    );
    await loadVectors(suite, space, corpus);
    await suite.query(`analyze search.${String(space.segment)}`);
  });
  afterAll(() => suite.close());

  /**
   * Scans a space as if it had a million vectors: it is not scanned completely, and this number of chunks is requested
   * from the index.
   */
  const scan = (sessions: number, mostChunks: number, exceptSessionIds: readonly string[] = []) => {
    const vector = Float32Array.from({ length: WIDTH }, (_, index) => (index === 0 ? 1 : 0));
    const asked = {
      unitVector: requireUnitVector(vector, WIDTH),
      filter: {},
      limit: LIMIT,
      sessions,
      exceptSessionIds,
    };
    const options = { timeoutMs: 60_000, signal: new AbortController().signal };
    return runCancellable(suite.pools, options, (client) =>
      withScan(client, space.id, (place) =>
        scanSessions(client, place, asked, { exactRows: 0, mostTuples: 20_000, mostChunks }),
      ),
    );
  };
  const listSessions = (chunks: readonly { readonly sessionId: string }[]) => [
    ...new Set(chunks.map(({ sessionId }) => sessionId)),
  ];

  // The exact chunks are not compared, since an index that walks a graph may miss some of many similar ones.
  it('are skipped by a second request for the required number of chunks', async () => {
    const { chunks, isCut } = await scan(5, CHUNKS * SESSIONS - 1);
    expect(listSessions(chunks).length).toBeGreaterThanOrEqual(5);
    expect(isCut).toBe(true);
  });

  it('produce a list that is reported as truncated if that number is above the limit', async () => {
    const { chunks, isCut } = await scan(SESSIONS, 2 * LIMIT);
    expect(listSessions(chunks).length).toBeLessThan(SESSIONS);
    expect(isCut).toBe(true);
  });

  it('that are skipped hide later sessions only up to the limit', async () => {
    const { chunks, isCut } = await scan(SESSIONS, 2 * LIMIT, ids.slice(0, 2));
    expect(listSessions(chunks)).not.toEqual(expect.arrayContaining([ids[0]]));
    expect(isCut).toBe(true);
  });
});
