import { useSweeperProcesses } from './testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();
const query = async (text: string) => (await sweeper.admin.pool.query(text)).rows as Record<string, unknown>[];

/** Makes the server's clock settable, for connections that are opened from now on. */
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
/** Returns the hours between now and the last pass of each account. */
const readLastPasses = async () =>
  (await query('select last_pass_at as at from backfill.watermark')).map(({ at }) =>
    Math.round(((at as Date).getTime() - Date.now()) / 3_600_000),
  );

/** Number of steps (rows, watermarks and commits) before a sweeper is killed: far fewer than a whole pass has. */
const STEPS = 20;
const SETTINGS = [
  ['0', 0],
  ['1 hour', 1],
  ['-1 hour', -1],
] as const;

describe('the database clock', () => {
  it('can change by an hour in both directions without delays or losses (CORP-15, CORP-16)', async () => {
    await buildClock();
    for (let account = 0; account < 3; account += 1) await sweeper.storeHistory(30);
    const limits = {
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '4',
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_PASS: '8',
    };
    for (const [by, hours] of SETTINGS) {
      await setClock(by);
      await sweeper.gate.close(STEPS);
      const running = await sweeper.start(limits);
      await sweeper.gate.untilReached();
      expect(await readLastPasses()).toContain(hours);
      await running.kill();
      await sweeper.gate.open();
      await sweeper.untilGone();
    }
    await setClock('0');
    const running = await sweeper.start();
    await sweeper.untilSwept();
    await running.kill();
    const corpus = await sweeper.readCorpus();

    await sweeper.forgetCorpus();
    await sweeper.start();
    await sweeper.untilSwept();
    expect(corpus).toEqual(await sweeper.readCorpus());
  });
});
