import { newId } from '@steward/crypto';
import type { Database } from '@steward/database';
import { readSeries, rollUpFacts, type SeriesName, type SeriesStep } from '@steward/stats';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { openBenchDatabase } from '../open-bench-database.ts';
import { printTable } from '../print-table.ts';
import { readCpuMs } from '../read-cpu.ts';
import { percentile, readClockMs } from '../statistics.ts';
import type { StatsBenchOptions } from './options.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const BATCH = 20_000;
const ROUNDS = 30;
const TARGET_MS = 150;

interface Chart {
  readonly name: SeriesName;
  readonly groupBy?: string;
  readonly step: SeriesStep;
  readonly days: number;
  readonly timeZone?: string;
}

/** Requests sent by the console. */
const CHARTS: readonly Chart[] = [
  ...(['model', 'agent', 'key', 'flow', 'person'] as const).flatMap((groupBy): Chart[] => [
    { name: 'spend', groupBy, step: 'day', days: DAYS },
    { name: 'spend', groupBy, step: 'hour', days: DAYS },
  ]),
  { name: 'spend', groupBy: 'key', step: 'day', days: DAYS, timeZone: 'Asia/Kolkata' },
  { name: 'model_calls', step: 'hour', days: 1 },
  { name: 'model_calls', step: 'minute', days: 0.9 },
  { name: 'deliveries', groupBy: 'endpoint', step: 'day', days: DAYS },
  { name: 'delivery_latency', groupBy: 'endpoint', step: 'day', days: DAYS },
  { name: 'executions', groupBy: 'result', step: 'day', days: DAYS },
  { name: 'search_corpus', groupBy: 'kind', step: 'day', days: DAYS },
];

/** Runs `npm run bench -- stats`. Exits with 1 if a chart takes longer than its target. */
export async function runBench({ calls }: StatsBenchOptions): Promise<void> {
  await runWithCleanup(async (stops) => {
    const { database } = await openBenchDatabase(stops, 'bench-stats');
    const accountId = newId();
    await compareInserts(database);
    const booking = readClockMs();
    for (let first = 0; first < calls; first += BATCH)
      await bookCalls(database, accountId, {
        count: Math.min(BATCH, calls - first),
        share: first / calls,
        width: BATCH / calls,
      });
    await endOthers(database, accountId, Math.ceil(calls / 10));
    const bookedMs = readClockMs() - booking;
    const summing = readClockMs();
    const facts = await rollUpFacts(database.db);
    const summedMs = readClockMs() - summing;
    await database.pool.query('vacuum (analyze) stats.pending, stats.recent, stats.roll_up');
    const { rows } = await database.pool.query<{ sums: number }>('select count(*) as sums from stats.roll_up');
    console.log(`\n  ${calls} calls booked in ${(bookedMs / 1000).toFixed(1)} s`);
    console.log(
      `  ${facts} facts summed up in ${(summedMs / 1000).toFixed(1)} s (${Math.round(facts / (summedMs / 1000))} a second), ${rows[0]?.sums} sums\n`,
    );
    await measureCharts(database, accountId);
  });
}

interface Booked {
  readonly count: number;
  /**
   * Position of the calls within the 30 days, where 0 is the beginning and 1 is now; `width` is the part of them over
   * which the calls are spread.
   */
  readonly share: number;
  readonly width: number;
}

/** Records the calls in the order of their time. */
async function bookCalls({ pool }: Database, accountId: string, { count, share, width }: Booked): Promise<void> {
  await pool.query(
    `insert into models.usage (account_id, id, occurred_at, model_alias, managed_agent_id, api_key_id, flow_id, user_id, provider, endpoint,
       status, input_tokens, output_tokens, cost_usd, price_source, usage_source, duration_ms, stream)
     select $1, gen_random_uuid(), now() - (1 - $3::float8 - $4::float8 * n / $2::float8) * interval '30 days', 'model-' || floor(random() * 8), 'agent-' || floor(random() * 20),
       md5('key' || floor(random() * 40))::uuid, md5('flow' || floor(random() * 12))::uuid, md5('person' || floor(random() * 15))::uuid,
       'openai', 'responses', case when random() < .02 then 'error' else 'ok' end, 1000, 100, round((random() * .05)::numeric, 9),
       'catalogue', 'provider', 900, true
     from generate_series(1, $2::integer) n`,
    [accountId, count, share, width],
  );
}

async function endOthers({ pool }: Database, accountId: string, count: number): Promise<void> {
  await pool.query(
    `insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count, occurred_at,
       created_at, finished_at)
     select gen_random_uuid(), $1, md5('endpoint' || floor(random() * 20))::uuid, gen_random_uuid(), 'session.ended', 1,
       case when random() < .01 then 'dead' else 'delivered' end, 1, at, at, at + random() * interval '3 seconds'
     from (select now() - random() * interval '30 days' as at from generate_series(1, $2)) t`,
    [accountId, count],
  );
  await pool.query(
    `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, started_at)
     select gen_random_uuid(), $1, md5('flow' || floor(random() * 12))::uuid, 'nightly', 'RUNNING', 'webhook', '{}',
       now() - random() * interval '30 days'
     from generate_series(1, $2)`,
    [accountId, Math.ceil(count / 10)],
  );
  await pool.query(
    `update flows.execution set status = case when random() < .1 then 'FAILED' else 'SUCCEEDED' end,
       finished_at = started_at + random() * interval '5 minutes' where account_id = $1`,
    [accountId],
  );
}

/**
 * Runs the same inserts with and without the triggers, alternating: the difference is the cost of counting, in one
 * statement for each call.
 */
async function compareInserts(database: Database): Promise<void> {
  const accountId = newId();
  const taken = { counted: [] as number[], uncounted: [] as number[] };
  for (let round = 0; round < 10; round += 1)
    for (const kind of ['counted', 'uncounted'] as const) {
      await database.pool.query(`alter table models.usage ${kind === 'counted' ? 'enable' : 'disable'} trigger user`);
      const start = readClockMs();
      for (let call = 0; call < 200; call += 1) await bookCalls(database, accountId, { count: 1, share: 0, width: 0 });
      taken[kind].push((readClockMs() - start) / 200);
    }
  await database.pool.query('alter table models.usage enable trigger user');
  const [counted, uncounted] = [percentile(taken.counted, 0.5), percentile(taken.uncounted, 0.5)];
  console.log(`  an insert of one call: ${uncounted.toFixed(2)} ms, counted ${counted.toFixed(2)} ms`);
}

async function measureCharts({ db, pool }: Database, accountId: string): Promise<void> {
  const to = new Date();
  const rows: (string | number)[][] = [];
  // The statements run one at a time, so that the pool uses a single connection.
  const { rows: backends } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const readCpu = () =>
    readCpuMs(backends[0]?.pid ?? 0) + process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
  for (const { name, groupBy, step, days, timeZone = 'Europe/Berlin' } of CHARTS) {
    const request = {
      accountId,
      name,
      groupBy,
      step,
      timeZone,
      limit: 10,
      to,
      from: new Date(to.getTime() - days * DAY_MS),
    };
    const taken: number[] = [];
    const cpuBefore = readCpu();
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = readClockMs();
      await readSeries(db, request);
      taken.push(readClockMs() - start);
    }
    const p95 = percentile(taken, 0.95);
    rows.push([
      name,
      groupBy ?? '-',
      `${step}, ${days} d, ${timeZone}`,
      percentile(taken, 0.5),
      p95,
      (readCpu() - cpuBefore) / ROUNDS,
    ]);
    if (p95 > TARGET_MS) process.exitCode = 1;
  }
  printTable(['chart', 'by', 'steps', 'p50 ms', 'p95 ms', 'cpu ms'], rows);
  console.log(`\n  target: p95 below ${TARGET_MS} ms each`);
}
