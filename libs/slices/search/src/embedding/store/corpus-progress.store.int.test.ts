import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { makeSegment } from '../../vectors/store/upkeep.store.ts';
import { listSpaces } from '../../vectors/store/vector-space.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import { countEmbedded } from './corpus-progress.store.ts';

const WIDTH = 384;
const VECTORS = 2000;
const SUMMARIES = 40;

describe('the vectors of a table of their own', () => {
  let suite: OpenVectors;
  let space: VectorSpace;
  beforeAll(async () => {
    suite = await openVectors();
    const { id, accountId } = await suite.makeSpace(newId(), WIDTH);
    await makeSegment(suite.indexer.db, id);
    [space] = (await listSpaces(suite.indexer.db, accountId)) as [VectorSpace];
    const segment = String(space.segment);
    // Nothing is searched here.
    await suite.query(`drop index search.${segment}_vector_idx`);
    await suite.query(
      `insert into search.${segment} (space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, vector)
       select $1, gen_random_uuid(), $1, now(), now(), case when n <= $2::int then 'session_summary' else 'tool_call' end,
         array_fill(1, array[$3::int])::halfvec
       from generate_series(1, $4::int) n`,
      [id, SUMMARIES, WIDTH, VECTORS],
    );
    // A commit that is not on disk yet hides its rows from the map of what all can see.
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
  ] as const)('are counted without reading one of them (%s)', async (scope, expected) => {
    const [count, read] = await suite.database.db.transaction().execute(async (trx) => {
      const before = await countRead(trx, space);
      const counted = await countEmbedded(trx, space, scope);
      return [counted, (await countRead(trx, space)) - before];
    });
    expect([count, read]).toEqual([expected, 0]);
  });
});

/** Rows of the segment that this connection read so far. */
async function countRead(trx: Parameters<typeof countEmbedded>[0], { segment }: VectorSpace): Promise<number> {
  const { rows } = await sql<{ rows: string }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_all_tables
    where relname = ${segment}
  `.execute(trx);
  return Number(rows[0]?.rows);
}
