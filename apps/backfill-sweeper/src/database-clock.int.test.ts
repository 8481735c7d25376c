import { eventually } from '@steward/testing';
import { useSweeperProcesses } from './testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();
const query = async (text: string) => (await sweeper.admin.pool.query(text)).rows as Record<string, unknown>[];

/** For connections that are opened from now on: the server's clock can be set. */
async function buildClock(): Promise<void> {
  await query(`
    create schema clock;
    create table clock.shift as select interval '0' as by;
    create function clock.clock_timestamp() returns timestamptz language sql volatile security definer as
      $$ select pg_catalog.clock_timestamp() + by from clock.shift $$;
    create function clock.now() returns timestamptz language sql stable security definer as
      $$ select pg_catalog.now() + by from clock.shift $$;
    grant usage on schema clock to public;
    do $$ begin execute format('alter database %I set search_path = clock, pg_catalog, public', current_database()); end $$;
  `);
}
const setClock = (by: string) => query(`update clock.shift set by = '${by}'`);
const countRows = async () => Number((await query('select count(*) as rows from search.chunk'))[0]?.rows);
const readLastPass = async () => (await query('select max(last_pass_at) as at from backfill.watermark'))[0]?.at as Date;

describe('the clock of the database', () => {
  it('may be set forward and back by an hour: nobody waits for it, and nothing is lost (CORP-15, CORP-16)', async () => {
    await buildClock();
    for (let account = 0; account < 3; account += 1) await sweeper.storeHistory(30);
    const running = await sweeper.start({
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '4',
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_PASS: '8',
    });
    const untilRows = (rows: number) => eventually(async () => (await countRows()) >= rows);
    await untilRows(12);
    await setClock('1 hour');
    await untilRows((await countRows()) + 24);
    const ahead = await readLastPass();
    expect(ahead.getTime()).toBeGreaterThan(Date.now() + 1_800_000);
    await setClock('-1 hour');
    await untilRows((await countRows()) + 24);
    await setClock('0');
    await sweeper.untilSwept();
    await running.kill();
    const corpus = await sweeper.readCorpus();

    await sweeper.forgetCorpus();
    await sweeper.start();
    await sweeper.untilSwept();
    expect(corpus).toEqual(await sweeper.readCorpus());
  });
});
