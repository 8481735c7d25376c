import { newId } from '@steward/crypto';
import { createTestDatabase, eventually, startTestBroker } from '@steward/testing';
import { verifyWebhook } from '@steward/webhook-verify';
import { connectClient } from '../../src/servers/connect-client.ts';
import { readCpuMs, readFamilyCpuMs } from '../read-cpu.ts';
import { median, readClockMs } from '../statistics.ts';
import { buildEvents } from './bench-event.ts';
import type { Contender } from './contenders/contender.ts';
import { GRAPHILE_WORKER, PG_BOSS, RAW_LOOP } from './contenders/rivals.ts';
import { STEWARD } from './contenders/steward.ts';
import type { BenchOptions } from './options.ts';
import { reconcile, type Ledger } from './reconcile.ts';
import { WARM_UP_SHARE } from './sink-messages.ts';
import type { Sink } from './start-sink.ts';

export const CONTENDERS: readonly Contender[] = [RAW_LOOP, STEWARD, PG_BOSS, GRAPHILE_WORKER];

export interface ThroughputResult {
  readonly name: string;
  readonly ratesPerSecond: readonly number[];
  readonly medianPerSecond: number;
  /** CPU time of the worker process per event, which does not depend on other load on the machine. */
  readonly medianCpuMicroseconds: number;
  /** CPU time of all processes of Postgres per event. */
  readonly medianPostgresMicroseconds: number;
  readonly ledger: Ledger;
}

interface Run {
  readonly rate: number;
  readonly cpuMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly ledger: Ledger;
}

/**
 * Number of accounts with one endpoint each, because the share of one endpoint is limited, and because events of one
 * account wait for each other at the counter.
 */
const ACCOUNTS = 8;
/** Runs the contenders in turn, `runs` times, so that other load affects all of them; returns their results. */
export async function measureThroughput(
  options: BenchOptions,
  { sink, postgresPid }: { readonly sink: Sink; readonly postgresPid: number },
  say: (line: string) => void,
): Promise<ThroughputResult[]> {
  const rates = new Map<Contender, Run[]>();
  for (let run = 1; run <= options.runs; run += 1) {
    for (const contender of CONTENDERS) {
      const measured = await runOnce(contender, options, { sink, postgresPid });
      const cpu = `${Math.round(measured.cpuMicroseconds)} us, Postgres ${Math.round(measured.postgresMicroseconds)} us`;
      say(`run ${run}: ${contender.name} ${Math.round(measured.rate)}/s, ${cpu}`);
      rates.set(contender, [...(rates.get(contender) ?? []), measured]);
    }
  }
  return CONTENDERS.map((contender) => {
    const runs = rates.get(contender) ?? [];
    const ratesPerSecond = runs.map(({ rate }) => rate);
    const sum = (read: (ledger: Ledger) => number): number =>
      runs.reduce((total, { ledger }) => total + read(ledger), 0);
    return {
      name: contender.name,
      ratesPerSecond,
      medianPerSecond: median(ratesPerSecond),
      medianCpuMicroseconds: median(runs.map(({ cpuMicroseconds }) => cpuMicroseconds)),
      medianPostgresMicroseconds: median(runs.map(({ postgresMicroseconds }) => postgresMicroseconds)),
      ledger: {
        sent: sum((ledger) => ledger.sent),
        lost: sum((ledger) => ledger.lost),
        duplicates: sum((ledger) => ledger.duplicates),
      },
    };
  });
}

async function runOnce(
  contender: Contender,
  options: BenchOptions,
  { sink, postgresPid }: { readonly sink: Sink; readonly postgresPid: number },
): Promise<Run> {
  const database = await createTestDatabase();
  const broker = await startTestBroker();
  const accountIds = Array.from({ length: ACCOUNTS }, () => newId());
  const events = buildEvents(options.events, accountIds);
  try {
    const contest = await contender.prepare({
      events,
      accountIds,
      url: sink.url,
      database,
      natsUrl: broker.url,
      concurrency: options.concurrency,
      profileDirectory: options.profileDirectory,
    });
    try {
      // Pending writes caused by filling the queue must not be flushed during the measurement.
      await checkpoint(database.url);
      await sink.expect(events.length);
      await contest.start();
      await sink.waitForWarmUp();
      const cpuBefore = readCpuMs(contest.readPid());
      const postgresBefore = readFamilyCpuMs(postgresPid);
      await sink.waitForAll();
      const settledAt = await waitUntilSettled(contest.countAttempts, events.length);
      const cpuMs = readCpuMs(contest.readPid()) - cpuBefore;
      const postgresMs = readFamilyCpuMs(postgresPid) - postgresBefore;
      const { arrivals, sample } = await sink.report();
      requireSignature(contender.name, sample, contest.secrets);
      const times = arrivals.map(([, at]) => at).sort((a, b) => a - b);
      const warm = Math.floor(times.length * WARM_UP_SHARE);
      const seconds = (Math.max(times.at(-1) ?? 0, settledAt) - (times[warm] ?? 0)) / 1000;
      const keys = events.map((event) => `/ok ${event.id}`);
      const measured = times.length - warm;
      return {
        rate: measured / seconds,
        cpuMicroseconds: (cpuMs * 1000) / measured,
        postgresMicroseconds: (postgresMs * 1000) / measured,
        ledger: reconcile(keys, arrivals),
      };
    } finally {
      await contest.stop();
    }
  } finally {
    await broker.stop();
    await database.drop();
  }
}

/**
 * Waits until the last attempt is recorded, because only then is the work finished, not when the last request arrives.
 */
async function waitUntilSettled(countAttempts: () => Promise<number> | undefined, expected: number): Promise<number> {
  if (countAttempts() === undefined) return 0;
  await eventually(async () => Number(await countAttempts()) >= expected, { intervalMs: 5, timeoutMs: 60_000 });
  return readClockMs();
}

async function checkpoint(databaseUrl: string): Promise<void> {
  const client = await connectClient(databaseUrl);
  await client.query('checkpoint');
  await client.end();
}

/** Checks the signature of the sample, because every contender must have done the same amount of work. */
function requireSignature(
  name: string,
  sample: Awaited<ReturnType<Sink['report']>>['sample'],
  secrets: readonly string[],
): void {
  if (sample === undefined) throw new Error(`${name}: no request was kept`);
  try {
    verifyWebhook(sample.body, sample.headers, secrets);
  } catch (error) {
    throw new Error(`${name} does not sign as it should`, { cause: error });
  }
}
