import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { makeSegment } from '../../vectors/store/upkeep.store.ts';
import { listSpaces } from '../../vectors/store/vector-space.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import { countEmbedded, countFormer } from './corpus-progress.store.ts';

const WIDTH = 384;
const VECTORS = 2000;
const SUMMARIES = 40;

describe('the vectors in a separate table', () => {
  let suite: OpenVectors;
  let space: VectorSpace;
  beforeAll(async () => {
    suite = await openVectors();
    const { id, accountId } = await suite.makeSpace(newId(), WIDTH);
    await makeSegment(suite.indexer.db, id);
    [space] = (await listSpaces(suite.indexer.db, accountId)) as [VectorSpace];
    const segment = String(space.segment);
    // The index is dropped, since no search uses it here.
    await suite.query(`drop index search.${segment}_vector_idx`);
    await suite.query(
      `insert into search.${segment} (space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, vector)
       select $1, gen_random_uuid(), $1, now(), now(), case when n <= $2::int then 'session_summary' else 'tool_call' end,
         array_fill(1, array[$3::int])::halfvec
       from generate_series(1, $4::int) n`,
      [id, SUMMARIES, WIDTH, VECTORS],
    );
    // Until a commit is flushed to disk, its rows are not in the visibility map.
    await eventually(async () => {
      await suite.admin.pool.query(`vacuum (analyze) search.${segment}`);
      const seenByAll = 'select from pg_class where relname = $1 and relallvisible = relpages';
      return (await suite.query(seenByAll, [segment])).length > 0;
    });
  });
  afterAll(() => suite.close());

  it.each([
    ['full', VECTORS],
    ['summaries_only', SUMMARIES],
  ] as const)('are counted without reading any of them (%s)', async (scope, expected) => {
    const [count, read] = await suite.database.db.transaction().execute(async (trx) => {
      const before = await countRead(trx, space);
      const counted = await countEmbedded(trx, space, scope);
      return [counted, (await countRead(trx, space)) - before];
    });
    expect([count, read]).toEqual([expected, 0]);
  });
});

describe('chunks that wait and have a vector of a previous model', () => {
  let suite: OpenVectors;
  const accountId = newId();
  const ids = Array.from({ length: 10 }, () => newId());
  let spaces: VectorSpace[];
  beforeAll(async () => {
    suite = await openVectors();
    const [one, other] = [
      await suite.makeSpace(accountId, 3),
      await suite.makeSpace(accountId, 3, { modelIdentifier: 'model-b' }),
    ];
    await makeSegment(suite.indexer.db, other.id);
    spaces = await listSpaces(suite.indexer.db, accountId);
    const write = (table: string, spaceId: string, chunkIds: readonly string[]) =>
      suite.query(
        `insert into search.${table} (space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, vector)
         select $1, id, $1, now(), now(), case when id = $3 then 'session_summary' else 'tool_call' end, '[1,0,0]'
         from unnest($2::uuid[]) id`,
        [spaceId, chunkIds, ids[9]],
      );
    await write('chunk_vector', one.id, ids.slice(0, 6));
    const segment = spaces.find(({ id }) => id === other.id)?.segment;
    await write(String(segment), other.id, ids);
    await suite.query(
      `insert into search.embedding_task (account_id, chunk_id, state) values ($1, $2, 'waiting'), ($1, $3, 'failed')`,
      [accountId, ids[1], ids[2]],
    );
  });
  afterAll(() => suite.close());

  const count = (probedTo: string | undefined, more: { scope?: 'full' | 'summaries_only'; most?: number } = {}) =>
    countFormer(suite.database.db, {
      accountId,
      spaces,
      probedTo: String(probedTo),
      scope: 'full',
      most: 100,
      ...more,
    });

  it('are the chunks ahead of the walk, and claimed ones that are not embedded yet', async () => {
    expect(await count(ids[3])).toBe(6 + 1);
    expect(await count(ids[9])).toBe(1);
    expect(await count(ids[3], { scope: 'summaries_only' })).toBe(1);
  });

  it('are counted up to the requested number', async () => {
    expect(await count(ids[0], { most: 4 })).toBe(4);
    expect(await count(ids[0], { most: 0 })).toBe(0);
  });
});

/** Returns the number of rows of the segment that this connection has read so far. */
async function countRead(trx: Parameters<typeof countEmbedded>[0], { segment }: VectorSpace): Promise<number> {
  const { rows } = await sql<{ rows: string }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_all_tables
    where relname = ${segment}
  `.execute(trx);
  return Number(rows[0]?.rows);
}
