import { eventually } from '@steward/testing';
import { useSweeperProcesses } from './testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();
const query = async (text: string, values: readonly unknown[] = []) =>
  (await sweeper.admin.pool.query(text, [...values])).rows as Record<string, unknown>[];

const HALF_AN_HOUR_MS = 1_800_000;

async function readRowsWritten(healthPort: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${healthPort}/api/v1/health`);
  return ((await answer.json()) as { activity: { rows_written: number } }).activity.rows_written;
}

describe('two simultaneous sweepers', () => {
  it('write each source once, in whatever order their steps run (CORP-18)', async () => {
    for (let account = 0; account < 5; account += 1) await sweeper.storeHistory(40);
    const limits = { SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '15' };
    const both = await Promise.all([sweeper.start(limits), sweeper.start(limits)]);
    await sweeper.untilSwept();
    const counts = async () => ({
      rows: (await Promise.all(both.map(({ healthPort }) => readRowsWritten(healthPort)))).reduce((a, b) => a + b, 0),
      chunks: (await sweeper.readCorpus()).length,
      sources: Number((await query('select sum(sources_written) as n from backfill.watermark'))[0]?.n),
    });
    const { rows, chunks, sources } = await eventually(async () => {
      const found = await counts();
      return found.rows >= found.chunks && found;
    });
    expect(rows).toBe(chunks);
    expect(sources).toBe(5 * 40 * 2);
  });
});

describe('the process clock', () => {
  it.each([
    ['that is an hour ahead', 3_600_000],
    ['that is an hour behind', -3_600_000],
  ])('%s changes nothing, because the clock of the database is used (CORP-16)', async (_name, offsetMs) => {
    const accountId = await sweeper.storeHistory(4);
    // One session is half an hour below the age limit, and one half an hour above it.
    for (const age of ['23.5 hours', '24.5 hours'])
      await query(
        `update gateway.runtime_session set started_at = now() - $2::interval where id =
           (select id from gateway.runtime_session where account_id = $1 and started_at < '2026-11-01' order by id limit 1)`,
        [accountId, age],
      );
    const before = (await query('select clock_timestamp() as now'))[0]?.now as Date;
    await sweeper.start({ NODE_OPTIONS: shiftClock(offsetMs), SESSION_SEARCH_BACKFILL_MAX_AGE_DAYS: '1' });
    await sweeper.untilSwept();
    const after = (await query('select clock_timestamp() as now'))[0]?.now as Date;
    const sessions = await query('select distinct runtime_session_id from search.chunk where account_id = $1', [
      accountId,
    ]);
    expect(sessions).toHaveLength(1);
    const [mark] = await query(
      'select last_pass_at, completed_at, covered_until, walk_started_at from backfill.watermark where account_id = $1',
      [accountId],
    );
    const made = await query(
      `select indexed_at, to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0) as id_at
       from search.chunk where account_id = $1`,
      [accountId],
    );
    // The tolerance covers the time that a pass takes: the clocks differ by whole hours.
    for (const time of [...Object.values(mark ?? {}), ...made.flatMap((each) => Object.values(each))]) {
      expect((time as Date).getTime()).toBeGreaterThanOrEqual(before.getTime() - HALF_AN_HOUR_MS);
      expect((time as Date).getTime()).toBeLessThanOrEqual(after.getTime() + HALF_AN_HOUR_MS);
    }
  });
});

/** Returns the option that loads code into Node which shifts every time that the process reads. */
function shiftClock(offsetMs: number): string {
  const code = `const Real = Date; globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length === 0 ? [Real.now() + ${offsetMs}] : given)); }
    static now() { return Real.now() + ${offsetMs}; }
  };`;
  return `--import data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
}
