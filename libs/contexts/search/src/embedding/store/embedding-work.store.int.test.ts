import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { lockDueWork, readNextDueMs } from './embedding-work.store.ts';

const PARKED = 3000;

describe('the next account to serve', () => {
  let suite: OpenVectors;
  const due = newId();
  beforeAll(async () => {
    suite = await openVectors();
    await suite.query(
      `with account as (
         insert into search.embedding_setting (account_id, is_enabled, updated_at)
         select id, false, now() from (select gen_random_uuid() as id from generate_series(1, $2::int) union all select $1) ids
         returning account_id
       )
       insert into search.embedding_work (account_id, due_at)
       select account_id, case when account_id = $1 then now() else now() + interval '1 day' end from account`,
      [due, PARKED],
    );
    await suite.query('analyze search.embedding_work');
    await suite.query('analyze search.embedding_setting');
  });
  afterAll(() => suite.close());

  it('is found without reading those that are not due', async () => {
    const [accountId, read] = await suite.indexer.db.transaction().execute(async (trx) => {
      const work = await lockDueWork(trx, { sharers: [], mayFill: true });
      const { rows } = await sql<{ rows: string }>`
        select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_all_tables
        where relname = 'embedding_work'
      `.execute(trx);
      return [work?.accountId, Number(rows[0]?.rows)];
    });
    expect(accountId).toBe(due);
    expect(read).toBeLessThan(PARKED);
  });
});

describe('the time until the next account is due', () => {
  let suite: OpenVectors;
  beforeAll(async () => {
    suite = await openVectors();
  });
  afterAll(() => suite.close());

  it.each([
    ['unknown without an account', undefined, undefined],
    ['unknown if every account waits for an event', `'infinity'`, undefined],
    ['0 if one is due', `now() - interval '1 day'`, 0],
    ['that of the first of them', `now() + interval '1 day'`, expect.closeTo(86_400_000, -6)],
  ])('is %s', async (_what, dueAt, expected) => {
    await suite.query('delete from search.embedding_work');
    if (dueAt !== undefined)
      await suite.query(`insert into search.embedding_work (account_id, due_at) values ($1, ${dueAt})`, [newId()]);
    expect(await readNextDueMs(suite.indexer.db, [])).toEqual(expected);
  });
});
