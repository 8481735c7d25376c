import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { lockDueWork } from './embedding-work.store.ts';

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
