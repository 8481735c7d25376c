import { newId } from '@steward/crypto';
import type { Database } from '@steward/database';
import { openCorpus } from '../../testing/open-corpus.ts';
import type { ChunkFilter } from '../chunk-filter.ts';
import { createSearchKeywords } from './search-keywords.ts';

/** Number of chunks of each session; every second one contains the word. */
const CHUNKS = 300;

describe('searching for a word in a few long sessions', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openCorpus();
  });
  afterAll(async () => {
    await database.close();
  });

  /** Stores sessions one after the other, after chunks without the word; returns their account. */
  async function fill(sessions: number, otherChunks: number): Promise<string> {
    const accountId = newId();
    await database.pool.query(
      `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
         indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
       select $1::uuid, md5($1::text || i)::uuid, md5($1::text || 's' || i / ${CHUNKS})::uuid, 'tool_call', 'c' || i, 0, 1,
         timestamptz '2026-10-01' + i * interval '1 second', now(),
         case when i >= 0 and i % 2 = 0 then 'heron' else 'reed' end, '\\x00', 'clear', 0, 1, false
       from generate_series($2::int, $3::int) i`,
      [accountId, -otherChunks, sessions * CHUNKS - 1],
    );
    await database.pool.query('analyze search.chunk');
    return accountId;
  }
  const search = (accountId: string, filter: ChunkFilter) =>
    createSearchKeywords({ work: database.pool, cancel: database.pool })(
      {
        accountId,
        query: 'heron',
        strictness: 'strict',
        filter,
        limit: 20,
        offset: 0,
        maxSnippetsPerSession: 3,
        includeSnippetText: false,
      },
      { timeoutMs: 60_000, signal: AbortSignal.timeout(60_000) },
    );

  it.each([
    ['in an account of their own', 0, {}],
    ['in an account of their own, of one kind of source', 0, { sourceKind: 'tool_call' as const }],
    ['within a range', 30_000, { startDate: new Date('2026-10-01T00:00:00Z') }],
    ['before which much else was stored', 30_000, {}],
  ])('returns every one of these sessions, %s', async (_what, otherChunks, filter) => {
    const page = await search(await fill(10, otherChunks), filter);
    expect(page.sessions).toHaveLength(10);
    expect(page.total).toBe(10);
  });
});
