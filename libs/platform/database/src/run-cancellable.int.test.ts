import type { PoolClient } from 'pg';
import { eventually } from '@steward/testing';
import { OutOfTimeError, runCancellable, type CancellablePools } from './run-cancellable.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';

const WORK = 'steward-work';
const LONG_MS = 60_000;
let database: OpenDatabase;
let pools: CancellablePools;
beforeAll(async () => {
  database = await openDatabase();
  pools = {
    work: database.open({ applicationName: WORK, poolSize: 1, checkoutTimeoutMs: LONG_MS * 10 }).pool,
    cancel: database.open({ poolSize: 1 }).pool,
  };
});
afterAll(() => database.drop());

const never = new AbortController().signal;

async function countRunning(): Promise<number> {
  const { rows } = await database.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = $1 and state = 'active'",
    [WORK],
  );
  return rows.length;
}

/** Waits until no statement runs: the server reports a cancelled statement slightly before it has ended. */
const waitUntilIdle = () => eventually(async () => (await countRunning()) === 0);

/** Runs a statement that takes longer than any wait in this file. */
const sleep = (client: PoolClient, seconds = 600) => client.query('select pg_sleep($1)', [seconds]);

describe('work with a time limit (SRCH-28)', () => {
  it('returns its result', async () => {
    const answer = await runCancellable(pools, { timeoutMs: LONG_MS, signal: never }, async (client) => {
      const { rows } = await client.query<{ one: number }>('select 1 as one');
      return rows[0]?.one;
    });
    expect(answer).toBe(1);
  });

  it('is cancelled in the database at the limit, and reports it', async () => {
    await expect(
      runCancellable(pools, { timeoutMs: 50, signal: never }, (client) => sleep(client)),
    ).rejects.toBeInstanceOf(OutOfTimeError);
    await waitUntilIdle();
  });

  it('has one time limit for all of its statements', async () => {
    // The work is repeated, since on a busy machine the time budget may end before the first statement starts.
    await eventually(async () => {
      let statements = 0;
      const work = runCancellable(pools, { timeoutMs: 2000, signal: never }, async (client) => {
        for (;;) {
          await sleep(client, 0.05);
          statements += 1;
        }
      });
      await expect(work).rejects.toBeInstanceOf(OutOfTimeError);
      return statements > 0;
    });
  });

  it('is cancelled with the abort reason when no client is waiting any more', async () => {
    const controller = new AbortController();
    const work = runCancellable(pools, { timeoutMs: LONG_MS, signal: controller.signal }, (client) => sleep(client));
    work.catch(() => undefined);
    await eventually(async () => (await countRunning()) === 1);
    controller.abort(new Error('client disconnected'));
    await expect(work).rejects.toThrow('client disconnected');
    await waitUntilIdle();
  });

  it('is not started for a client that has disconnected', async () => {
    const left = AbortSignal.abort(new Error('gone before'));
    let isBegun = false;
    const work = runCancellable(pools, { timeoutMs: LONG_MS, signal: left }, () => Promise.resolve((isBegun = true)));
    await expect(work).rejects.toThrow('gone before');
    expect(isBegun).toBe(false);
  });

  it('is not started if no connection becomes free within the time limit or before its client disconnects', async () => {
    let isBegun = false;
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = runCancellable(pools, { timeoutMs: LONG_MS, signal: never }, () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const begin = (timeoutMs: number, signal: AbortSignal) =>
      runCancellable(pools, { timeoutMs, signal }, () => Promise.resolve((isBegun = true)));
    await expect(begin(50, never)).rejects.toBeInstanceOf(OutOfTimeError);
    const leaving = new AbortController();
    const left = begin(LONG_MS, leaving.signal);
    leaving.abort(new Error('client disconnected'));
    await expect(left).rejects.toThrow('client disconnected');
    held.resolve();
    await first;
    // The connection that became available too late for this work can be used by other work.
    await expect(pools.work.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
    expect([isBegun, pools.work.totalCount, pools.work.waitingCount]).toEqual([false, 1, 0]);
  });

  it('passes its own errors on', async () => {
    const work = runCancellable(pools, { timeoutMs: LONG_MS, signal: never }, (client) =>
      client.query('select nothing'),
    );
    await expect(work).rejects.toMatchObject({ code: '42703' });
  });

  it('returns its connection in a state in which the next statement is not cancelled', async () => {
    for (let round = 0; round < 20; round += 1) {
      const quick = runCancellable(pools, { timeoutMs: 5, signal: never }, (client) => sleep(client, 0.004));
      await quick.catch(() => undefined);
      await expect(pools.work.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
    }
    expect(pools.work.totalCount).toBe(1);
  });
});
