import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import type { EmbeddingScope } from '../embedding-setting.ts';
import { readWalkPlace } from './walk-place.store.ts';

/** Number of summaries, which are the last of many chunks. */
const SUMMARIES = 400;
const BEFORE = 8000;
const WALKED = BEFORE + SUMMARIES;
/** Number of chunks after all summaries. */
const OTHERS = 20;
/** Number of chunks that is larger than the number read individually. */
const BEHIND = 1100;

describe.each([
  ['settings', 'admin'],
  ['searches', 'database'],
] as const)('the position of a walk, on connections of %s', (_whose, pool) => {
  let suite: OpenVectors;
  let accountId: string;
  beforeAll(async () => {
    suite = await openVectors();
    accountId = newId();
    await insertChunks(1, BEFORE, 'tool_call');
    await insertChunks(BEFORE + 1, SUMMARIES, 'session_summary');
    await insertChunks(WALKED + 1, OTHERS, 'tool_call');
    await suite.query(`insert into search.embedding_work (account_id, due_at, walk_for) values ($1, now(), 'walk')`, [
      accountId,
    ]);
    await suite.admin.pool.query('vacuum analyze search.chunk');
  });
  afterAll(() => suite.close());

  const nameId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const insertChunks = (from: number, count: number, kind: string, redaction = 'clear') =>
    suite.query(
      `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count,
         occurred_at, indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
       select $1, id::uuid, id::uuid, $2, id, 0, 1, now(), now(), 'text', '\\x00', $3, 0, 4, false
       from unnest($4::text[]) id`,
      [accountId, kind, redaction, Array.from({ length: count }, (_, index) => nameId(from + index))],
    );
  /** Returns whether there are chunks after the walk position, and how many were read to determine this. */
  const look = async (walkedTo: number, scope: EmbeddingScope) => {
    await suite.query('update search.embedding_work set probed_to = $2 where account_id = $1', [
      accountId,
      nameId(walkedTo),
    ]);
    return suite[pool].db.transaction().execute(async (trx) => {
      const countRead = async () =>
        Number(
          (
            await sql<{ rows: string }>`
              select sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0)) as rows from pg_stat_xact_all_tables
              where relname like 'chunk_p%'
            `.execute(trx)
          ).rows[0]?.rows,
        );
      const before = await countRead();
      const place = await readWalkPlace(trx, { accountId, walkFor: 'walk', scope });
      return { hasMore: place?.hasMore, read: (await countRead()) - before };
    });
  };

  it('is found by reading the chunks behind the walk, not all summaries', async () => {
    const { hasMore, read } = await look(WALKED, 'summaries_only');
    expect(hasMore).toBe(false);
    // Each chunk is read twice, to return it and to count it.
    expect(read).toBeLessThanOrEqual(2 * OTHERS);
    expect(await look(WALKED + OTHERS, 'summaries_only')).toEqual({ hasMore: false, read: 0 });
    expect(await look(WALKED, 'full')).toMatchObject({ hasMore: true });
    expect(await look(WALKED - 1, 'summaries_only')).toMatchObject({ hasMore: true });
  });

  it('does not apply to a walk for another setting', async () => {
    const key = { accountId, walkFor: 'another', scope: 'full' } as const;
    expect(await readWalkPlace(suite.database.db, key)).toBeUndefined();
  });

  it('is found before the wanted chunks, regardless of the chunks in between', async () => {
    const last = WALKED + OTHERS + BEHIND;
    await insertChunks(WALKED + OTHERS + 1, BEHIND, 'tool_call', 'metadata_only');
    expect(await look(WALKED + OTHERS, 'full')).toMatchObject({ hasMore: false });
    await insertChunks(last + 1, 1, 'session_summary');
    expect(await look(WALKED + OTHERS, 'full')).toMatchObject({ hasMore: true });
    expect(await look(WALKED + OTHERS, 'summaries_only')).toMatchObject({ hasMore: true });
  });
});
