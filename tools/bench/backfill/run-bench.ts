import { newId } from '@steward/crypto';
import pg from 'pg';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { startProgress } from '../../src/start-progress.ts';
import { printTable } from '../print-table.ts';
import { startBenchProcesses } from '../start-bench-processes.ts';
import { loadHistory } from './load-history.ts';
import type { BackfillBenchOptions } from './options.ts';
import { measureRawInserts, type RawRates } from './raw-inserts.ts';
import { registerReader, type SearchTimes } from './search-latency.ts';
import { createSweeps, type FirstPass, type Rate } from './sweeps.ts';

/** Number of sessions of the account that is searched. */
const READER_SESSIONS = 2000;
const RAW_CHUNKS = 20_000;
const TARGETS = { passRows: 2000, accountRows: 500, passSeconds: 120, chunksPerSecond: 5000, searchRatio: 1.5 };

interface Figures {
  readonly pass: FirstPass;
  readonly alone: Rate;
  readonly searched: Rate;
  readonly raw: RawRates;
  readonly idle: SearchTimes;
  readonly sweeping: SearchTimes;
}

/** Runs `npm run bench -- backfill`: see `--help`. */
export async function runBench(options: BackfillBenchOptions): Promise<void> {
  const progress = startProgress();
  await runWithCleanup(async (stops) => {
    const processes = await startBenchProcesses(['search-indexer', 'backfill-sweeper']);
    stops.push(() => processes.stop());
    const database = new pg.Pool({ connectionString: processes.databaseUrl, max: 2 });
    stops.push(() => database.end());
    // The indexer moves new entries from the pending lists into the indexes, as in production.
    const indexer = await processes.startApp('search-indexer');
    stops.push(() => indexer.stop());
    const profile =
      options.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` };
    const sweeps = createSweeps(processes, database, profile);

    const reader = await registerReader(processes.apiUrl);
    await loadHistory(processes.databaseUrl, { id: reader.accountId, sessions: READER_SESSIONS, seed: 1 });
    await sweeps.runToEnd();
    progress('the account that is searched is indexed');
    await loadAccounts(processes.databaseUrl, options);
    await database.query('vacuum analyze');
    progress(`${options.sessions} sessions of ${options.accounts} accounts stored`);

    const pass = await sweeps.runDefaultPass(reader.accountId);
    progress('one pass with the defaults');
    const idle = await reader.search(options.seconds);
    progress('searched');
    const sweep = await sweeps.startLifted();
    const alone = await sweep.measure(options.seconds);
    progress('swept');
    const [searched, sweeping] = await Promise.all([sweep.measure(options.seconds), reader.search(options.seconds)]);
    if (await sweeps.isComplete())
      progress('MIND: the sweep came through before the measurement ended; take more sessions');
    await sweep.stop();
    progress('swept and searched');
    // From here on, no other process moves the new entries.
    await indexer.stop();
    const raw = await measureRawInserts(processes.databaseUrl, RAW_CHUNKS);
    const isMet = report({ pass, alone, searched, raw, idle, sweeping });
    if (options.check && !isMet) process.exitCode = 1;
  });
}

/** Loads the accounts; half of the sessions belong to one of them. */
async function loadAccounts(databaseUrl: string, { sessions, accounts }: BackfillBenchOptions): Promise<void> {
  await loadHistory(databaseUrl, { id: newId(), sessions: Math.ceil(sessions / 2), seed: 2 });
  const others = accounts - 1;
  for (let index = 0; index < others; index += 1)
    await loadHistory(databaseUrl, { id: newId(), sessions: Math.floor(sessions / 2 / others), seed: 3 + index });
}

function report({ pass, alone, searched, raw, idle, sweeping }: Figures): boolean {
  const rate = ({ chunks, seconds }: Rate): number => chunks / seconds;
  const each = (figures: Rate, cpuMs: number): number => (cpuMs * 1000) / figures.chunks;
  const line = (name: string, of: Rate) =>
    [
      name,
      rate(of),
      rate(of) / raw.inserted,
      rate(of) / raw.moved,
      each(of, of.sweeperCpuMs),
      each(of, of.postgresCpuMs),
    ] as const;
  console.log('');
  printTable(
    ['sweep with lifted limits', 'chunks/s', 'of raw SQL', 'of raw SQL, moved', 'us CPU each', 'Postgres, us CPU each'],
    [
      line('alone', alone),
      line('while searched', searched),
      ['raw SQL, one connection', raw.inserted, 1, Number.NaN, Number.NaN, Number.NaN],
      ['raw SQL, moved into the index', raw.moved, Number.NaN, 1, Number.NaN, Number.NaN],
    ],
  );
  console.log('');
  printTable(
    ['search over HTTP', 'count', 'p50 ms', 'p95 ms'],
    [
      ['idle', idle.count, idle.p50, idle.p95],
      ['while swept', sweeping.count, sweeping.p50, sweeping.p95],
    ],
  );
  const targets: [string, number, number, boolean][] = [
    ['rows of a pass, at most', pass.rows, TARGETS.passRows, pass.rows <= TARGETS.passRows],
    ['of one account, at most', pass.mostOfAnAccount, TARGETS.accountRows, pass.mostOfAnAccount <= TARGETS.accountRows],
    ['seconds of a pass, at most', pass.seconds, TARGETS.passSeconds, pass.seconds <= TARGETS.passSeconds],
    ['chunks a second, at least', rate(alone), TARGETS.chunksPerSecond, rate(alone) >= TARGETS.chunksPerSecond],
    [
      'search p95 while swept over idle, at most',
      sweeping.p95 / idle.p95,
      TARGETS.searchRatio,
      sweeping.p95 / idle.p95 <= TARGETS.searchRatio,
    ],
  ];
  console.log('');
  printTable(
    ['target', 'measured', 'target', ''],
    targets.map(([name, measured, target, isMet]) => [name, measured, target, isMet ? 'met' : 'MISSED']),
  );
  return targets.every(([, , , isMet]) => isMet);
}
