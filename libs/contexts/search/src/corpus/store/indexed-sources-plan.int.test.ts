import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { openCorpus } from '../../testing/open-corpus.ts';
import { listIndexedSources, selectIndexedSources } from './indexed-window.store.ts';

const corpus = useOpened(openCorpus);
const sourcesOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ sourceKind: 'tool_call', sourceId: `c${from + index}` }));

/**
 * Inserts rows into the corpus.
 * @param account - SQL for the account of row `i`
 */
const insert = (account: string, rows: number) =>
  corpus().pool.query(
    `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
       indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
     select ${account}, gen_random_uuid(), md5('s' || i / 40)::uuid, 'tool_call', 'c' || i, 0, 1,
       timestamptz '2026-10-01' + i * interval '1 minute', now(), 'words', '\\x00', 'clear', 0, 1, false
     from generate_series(1, ${rows}) i`,
  );

describe('the look-up of indexed sources', () => {
  it('uses the primary key in an account without statistics', async () => {
    await insert(`md5('known' || i % 50)::uuid`, 50_000);
    await corpus().pool.query('vacuum (analyze) search.chunk');
    const accountId = newId();
    await insert(`'${accountId}'::uuid`, 3_000);
    const wanted = sourcesOf(2_900, 3_100);
    expect((await listIndexedSources(corpus().db, accountId, wanted)).size).toBe(101);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) ${selectIndexedSources(accountId, wanted)}
    `.execute(corpus().db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using chunk_p\d+_account_id_source_kind_source_id_chunk_index_key/);
    expect(plan).not.toMatch(/occurred_at|runtime_session_id|Seq Scan/);
  });
});
