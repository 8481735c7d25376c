import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import type { AnyDatabase, Database } from '@steward/database';
import { createModelCalls, type ModelCall, type ModelCalls } from '@steward/model-calls';
import type { Logger } from '@steward/process';
import { createBudgetMaker, selectBudgetsRevision } from '@steward/budgets';
import type { UsageRow } from '@steward/models';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { openBenchDatabase } from '../open-bench-database.ts';
import { printTable } from '../print-table.ts';
import { median, percentile } from '../statistics.ts';

const AT_ONCE = [1, 10, 50] as const;
/**
 * Ways to reserve a call. If its credential was read with the revision of the budgets, it is reserved from a lease of
 * this process; near a limit, and for a call without a revision, the database is asked.
 */
const WAYS = ['lease', 'database'] as const;
const CALLS = 1_000;
const ROUNDS = 3;
/**
 * Target for the latency of a reservation at 50 concurrent calls, in ms; it would be 50 if the waiting calls did not
 * share a transaction.
 */
const TARGET_MS = 15;

/** Runs `npm run bench -- budgets`. Exits with 1 if the target is exceeded. */
export async function runBench(): Promise<void> {
  await runWithCleanup(async (stops) => {
    const { database, logger } = await openBenchDatabase(stops, 'bench-budgets');
    const calls = openCalls(database, logger);
    calls.component.start?.();
    stops.push(() => calls.component.stop?.());
    await sql`create table bench_spent (id integer primary key, spent numeric not null)`.execute(database.db);
    await sql`insert into bench_spent values (1, 0)`.execute(database.db);
    const rows: (string | number)[][] = [];
    for (const [atOnce, way] of AT_ONCE.flatMap((atOnce) => WAYS.map((way) => [atOnce, way] as const))) {
      const rounds: Round[] = [];
      const raw: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(await measureCalls(calls, database, { atOnce, way }));
        raw.push(percentile(await measureRaw(database.db, atOnce), 0.5));
      }
      const of = (read: (round: Round) => number): number => median(rounds.map(read));
      const begun50 = of(({ begun }) => percentile(begun, 0.5));
      const begun99 = of(({ begun }) => percentile(begun, 0.99));
      const ended50 = of(({ ended }) => percentile(ended, 0.5));
      rows.push([String(atOnce), way, of(({ perSecond }) => perSecond), begun50, begun99, ended50, median(raw)]);
      if (atOnce === 50 && begun50 > TARGET_MS) process.exitCode = 1;
    }
    console.log(
      `\n  ${CALLS} calls a round, median of ${ROUNDS} rounds; target: holding at 50 at once p50 ${TARGET_MS} ms\n`,
    );
    printTable(['at once', 'asked', 'calls/s', 'hold p50 ms', 'hold p99 ms', 'book p50 ms', 'one update p50 ms'], rows);
  });
}

const openCalls = (database: Database, logger: Logger): ModelCalls =>
  createModelCalls({
    db: database.db,
    broker: { publishHint: () => undefined },
    clock: { now: () => new Date() },
    logger,
    options: { maxPendingPerAccount: 1_000 },
  });

interface Round {
  readonly perSecond: number;
  /** Duration of each call, in milliseconds. */
  readonly begun: readonly number[];
  readonly ended: readonly number[];
}

interface Contender {
  readonly atOnce: number;
  readonly way: (typeof WAYS)[number];
}

async function measureCalls(calls: ModelCalls, database: Database, { atOnce, way }: Contender): Promise<Round> {
  const [accountId, apiKeyId] = [newId(), newId()];
  const subject = { scope: 'account', scopeId: null, modelAlias: null, period: 'daily', timeZone: 'UTC' } as const;
  const terms = {
    limitAmount: '1000000',
    isHard: true,
    refusesUnsized: false,
    thresholdsPercent: [80],
    isEnabled: true,
  };
  const makeBudget = createBudgetMaker({ db: database.db, sumUsage: () => Promise.resolve('0') });
  await makeBudget({ accountId, ...subject, ...terms });
  // In the gateway, the statement that authenticates a request reads the revision.
  const budgetsRevision = way === 'lease' ? await readRevision(database.db, accountId) : undefined;
  const ended: number[] = [];
  const started = performance.now();
  const begun = await measure(atOnce, async () => {
    const call = { ...buildCall(accountId), apiKeyId, budgetsRevision };
    const before = performance.now();
    await calls.begin(call);
    const held = performance.now();
    await calls.end(buildRow(call));
    ended.push(performance.now() - held);
    return held - before;
  });
  return { perSecond: (CALLS / (performance.now() - started)) * 1000, begun, ended };
}

async function readRevision(db: AnyDatabase, accountId: string): Promise<number> {
  const { rows } = await sql<{ revision: string }>`
    select ${selectBudgetsRevision('a.id')} as revision from (values (${accountId}::uuid)) as a (id)`.execute(db);
  return Number(rows[0]?.revision);
}

const measureRaw = (db: AnyDatabase, atOnce: number): Promise<number[]> =>
  measure(atOnce, async () => {
    const before = performance.now();
    await sql`update bench_spent set spent = spent + 0.01 where id = 1`.execute(db);
    return performance.now() - before;
  });

/** Returns the duration of each call, at this concurrency. */
async function measure(atOnce: number, call: () => Promise<number>): Promise<number[]> {
  const took: number[] = [];
  let made = 0;
  const work = async (): Promise<void> => {
    while (made < CALLS) {
      made += 1;
      took.push(await call());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return took;
}

const rate = { base: 10_000_000 };
const rates = { input: rate, cachedInput: rate, cacheWrite: rate, longCacheWrite: rate, output: rate };
const MODEL: ModelCall['model'] = {
  ...{ id: newId(), alias: 'fast', provider: 'openai', maxOutputTokens: null },
  price: { source: 'custom', rates },
};

const buildCall = (accountId: string): ModelCall => ({
  ...{ id: newId(), accountId, occurredAt: new Date(), apiKeyId: null, userId: null, managedAgentId: null },
  ...{ executionId: null, flowId: null, endpoint: 'chat/completions', stream: false, model: MODEL },
  expected: { inputBytes: 350, maxOutputTokens: 900, defaultOutputTokens: 4096 },
});

const buildRow = ({ model, expected: _expected, ...call }: ModelCall): UsageRow => ({
  ...call,
  ...{ runtimeSessionId: null, modelId: model.id, modelAlias: model.alias, provider: model.provider, status: 'ok' },
  ...{ inputTokens: 100, cachedInputTokens: 0, outputTokens: 700, costUsd: '0.008', priceSource: 'custom' },
  ...{ usageSource: 'provider', durationMs: 1, firstByteMs: 1, errorClass: null },
});
