import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { readCpuMs, readFamilyCpuMs } from '../read-cpu.ts';
import type { BenchProcesses } from '../start-bench-processes.ts';

const LIFTED = {
  SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_PASS: '10000000',
  SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '10000000',
  SESSION_SEARCH_BACKFILL_MAX_SECONDS: '86400',
};
const LOOK_EVERY_MS = 100;

export interface FirstPass {
  readonly rows: number;
  readonly mostOfAnAccount: number;
  readonly seconds: number;
}

export interface Rate {
  readonly chunks: number;
  readonly seconds: number;
  /** CPU time of the sweeper. */
  readonly sweeperCpuMs: number;
  readonly postgresCpuMs: number;
}

export interface LiftedSweep {
  /** Measures the writes during this many seconds, during the given work, or until nothing remains to be written. */
  measure(seconds: number): Promise<Rate>;
  stop(): Promise<void>;
}

/** Runs the sweeper as shipped. */
export function createSweeps(processes: BenchProcesses, database: pg.Pool, settings: Readonly<Record<string, string>>) {
  const start = (limits: Readonly<Record<string, string>>) =>
    processes.startApp('backfill-sweeper', { ...settings, SESSION_SEARCH_BACKFILL_ENABLED: 'true', ...limits });

  /** Returns the number of chunks that have been written since the server started. */
  const readWritten = async (): Promise<number> => {
    const { rows } = await database.query<{ written: string }>(
      `select sum(n_tup_ins) as written from pg_stat_user_tables where schemaname = 'search' and relname like 'chunk\\_p__'`,
    );
    return Number(rows[0]?.written ?? 0);
  };
  const isComplete = async (): Promise<boolean> => {
    const { rows } = await database.query<{ left: string }>(
      `select count(*) as left from gateway.account left join backfill.watermark on account_id = id
       where state is distinct from 'complete'`,
    );
    return Number(rows[0]?.left) === 0;
  };

  return {
    isComplete,
    async runDefaultPass(exceptAccountId: string): Promise<FirstPass> {
      // Otherwise rows that were written earlier would be counted in this interval.
      await database.query(`update backfill.pass set began_at = 'epoch'`);
      const sweeper = await start({});
      try {
        while ((await readPasses(sweeper.healthUrl)) === 0) await delay(LOOK_EVERY_MS);
      } finally {
        await sweeper.stop();
      }
      const { rows } = await database.query<{ rows: number; most: number; seconds: number }>(
        `select sum(count)::int as rows, max(count)::int as most,
           extract(epoch from max(last) - min(first))::float8 as seconds
         from (select count(*), min(indexed_at) as first, max(indexed_at) as last from search.chunk where account_id <> $1
           group by account_id) of_account`,
        [exceptAccountId],
      );
      const [found] = rows;
      return { rows: found?.rows ?? 0, mostOfAnAccount: found?.most ?? 0, seconds: found?.seconds ?? Number.NaN };
    },
    async runToEnd(): Promise<void> {
      const sweeper = await start({ ...LIFTED, SESSION_SEARCH_BACKFILL_INTERVAL_SECONDS: '0.2' });
      try {
        while (!(await isComplete())) await delay(LOOK_EVERY_MS);
      } finally {
        await sweeper.stop();
      }
    },
    async startLifted(): Promise<LiftedSweep> {
      const sweeper = await start(LIFTED);
      const read = async () => ({
        chunks: await readWritten(),
        at: performance.now(),
        sweeperCpuMs: readCpuMs(sweeper.pid),
        postgresCpuMs: readFamilyCpuMs(processes.postgresPid ?? 0),
      });
      return {
        async measure(seconds) {
          const before = await read();
          const end = performance.now() + seconds * 1000;
          while (performance.now() < end && !(await isComplete())) await delay(LOOK_EVERY_MS);
          const after = await read();
          return {
            chunks: after.chunks - before.chunks,
            seconds: (after.at - before.at) / 1000,
            sweeperCpuMs: after.sweeperCpuMs - before.sweeperCpuMs,
            postgresCpuMs: after.postgresCpuMs - before.postgresCpuMs,
          };
        },
        stop: () => sweeper.stop(),
      };
    },
  };
}

async function readPasses(healthUrl: string): Promise<number> {
  const health = (await (await fetch(healthUrl)).json()) as { activity: { passes: number } };
  return health.activity.passes;
}
