import { UNINDEXED, useSweeper } from '../testing/use-sweeper.ts';
import { createBackoff } from './backoff.ts';
import { sweepPass, type SweepOptions } from './sweep-pass.ts';

const tests = useSweeper();
const LIMITS = { maxRowsPerPass: 6, maxRowsPerAccount: 4, maxSeconds: 60, intervalSeconds: 900, maxAgeDays: 0 };

const storeHistory = (sessions: number): Promise<string> =>
  tests.storeSessions(sessions, UNINDEXED, (index) => ({ toolCall: { arguments: { pattern: `old${index}` } } }));
/** Makes a pass of a sweeper that does not know about the other sweepers; returns the number of written rows. */
const pass = async (options: Partial<SweepOptions> = {}): Promise<number> => {
  const signal = new AbortController().signal;
  return (await sweepPass(tests.deps, { ...LIMITS, ...options }, { backoff: createBackoff(), signal })).rows;
};
const countChunks = async (): Promise<number> =>
  (await tests.admin.pool.query('select from search.chunk')).rowCount ?? Number.NaN;
/** Simulates the end of the interval, independent of the clock. */
const passInterval = () =>
  tests.admin.pool.query(`
    update backfill.pass set began_at = began_at - interval '900 seconds';
    update backfill.watermark set last_pass_at = last_pass_at - interval '900 seconds'`);

describe('the row limit per interval (CORP-14)', () => {
  beforeEach(async () => {
    await pass({ maxRowsPerPass: 1000, maxRowsPerAccount: 1000 });
    await tests.admin.pool.query('truncate search.chunk, backfill.watermark');
    await tests.admin.pool.query('update backfill.pass set rows = 0');
    await tests.admin.pool.query('delete from gateway.session_content');
    for (let account = 0; account < 4; account += 1) await storeHistory(4);
  });

  it('is shared by all sweepers, across restarts', async () => {
    expect([await pass(), await pass(), await pass()]).toEqual([6, 0, 0]);
    await passInterval();
    expect([await pass({ maxRowsPerPass: 3 }), await pass({ maxRowsPerPass: 5 })]).toEqual([3, 2]);
    expect(await countChunks()).toBe(11);
  });

  it('is not exceeded by simultaneous sweepers', async () => {
    const rows = await Promise.all([pass(), pass(), pass()]);
    expect(rows.reduce((sum, each) => sum + each, 0)).toBe(await countChunks());
    expect(await countChunks()).toBeLessThanOrEqual(6);
    expect(await countChunks()).toBeGreaterThanOrEqual(4);
  });

  it('restarts if the clock of the database is set back', async () => {
    expect(await pass()).toBe(6);
    await tests.admin.pool.query(`update backfill.pass set began_at = now() + interval '1 hour'`);
    expect(await pass()).toBe(6);
  });
});
