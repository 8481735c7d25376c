import { newId } from '@steward/crypto';
import { createTestDatabase, startTestBroker } from '@steward/testing';
import { percentile } from '../statistics.ts';
import { emitOpenLoop, type Emission } from './open-loop.ts';
import type { BenchOptions } from './options.ts';
import { reconcile, type Ledger } from './reconcile.ts';
import type { Arrival } from './sink-messages.ts';
import { startDispatcher } from './start-dispatcher.ts';
import { startProducer, type Producer } from './start-producer.ts';
import type { Sink } from './start-sink.ts';

export interface LatencyResult {
  /** Milliseconds from the time at which an event was due to be emitted until its request arrived. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Median duration of emitting the event in milliseconds, including the commit. */
  readonly emitP50: number;
  readonly ledger: Ledger;
}

/** Results for the healthy endpoints of a pair of runs: one without and one with failing endpoints. */
export interface FairnessPair {
  readonly alone: LatencyResult;
  readonly amongSick: LatencyResult;
  /** 99th percentile with failing endpoints, divided by that without them. */
  readonly ratio: number;
}

interface Target {
  readonly producer: Producer;
  readonly sink: Sink;
}

const WARM_UP_SECONDS = 2;
const LATENCY_ACCOUNTS = 8;
const ENDPOINTS = 20;
const SICK_PATHS = ['/never/dead', '/slow/nine-seconds', '/fail/500'];
/** Rate of events; with 20 endpoints it results in 200 deliveries per second. */
const FAIRNESS_EVENTS_PER_SECOND = 10;

/** Runs `work` while a dispatcher process with default settings is running. */
async function withDispatcher<T>(sink: Sink, work: (target: Target) => Promise<T>): Promise<T> {
  const database = await createTestDatabase();
  const broker = await startTestBroker();
  const producer = await startProducer(database, broker.url);
  const dispatcher = await startDispatcher(database, broker.url);
  try {
    const target = { producer, sink };
    // A process that has just started is still compiling code, so this phase is excluded.
    await measureAccount(target, ['/ok/warm-up'], { ratePerSecond: 100, seconds: WARM_UP_SECONDS });
    return await work(target);
  } finally {
    // This does not wait for the requests that the failing endpoints still keep open.
    await dispatcher.kill();
    await producer.stop();
    await broker.stop();
    await database.drop();
  }
}

/**
 * Measures the time from emit to receipt at a fixed rate, with one endpoint per account: once with eight accounts, and
 * once with a single one, whose emits and outcomes wait for each other at the counter that limits its outbox.
 */
export function measureLatency(
  options: BenchOptions,
  sink: Sink,
): Promise<{ spread: LatencyResult; one: LatencyResult }> {
  const load = { ratePerSecond: options.ratePerSecond, seconds: options.latencySeconds };
  return withDispatcher(sink, async (target) => ({
    spread: await measureAccount(target, ['/ok/latency'], { ...load, accounts: LATENCY_ACCOUNTS }),
    one: await measureAccount(target, ['/ok/latency'], load),
  }));
}

/**
 * Measures one pair of runs: runs the same twenty endpoints twice, and sends each event to all of them: first with all
 * of them healthy, then with three of them failing.
 */
export async function measureFairness(options: BenchOptions, sink: Sink): Promise<FairnessPair> {
  const load = { ratePerSecond: FAIRNESS_EVENTS_PER_SECOND, seconds: options.fairnessSeconds };
  const healthy = Array.from({ length: ENDPOINTS - SICK_PATHS.length }, (_, index) => `/ok/${index}`);
  const others = SICK_PATHS.map((_, index) => `/ok/other-${index}`);
  const alone = await withDispatcher(sink, (target) => measureAccount(target, healthy, load, others));
  const amongSick = await withDispatcher(sink, (target) => measureAccount(target, healthy, load, SICK_PATHS));
  return { alone, amongSick, ratio: amongSick.p99 / alone.p99 };
}

/**
 * Creates accounts (one by default), each with one endpoint per path; every event goes to one of the accounts in turn.
 * Only the paths in `paths` are measured and reconciled.
 */
async function measureAccount(
  { producer, sink }: Target,
  paths: readonly string[],
  load: { readonly ratePerSecond: number; readonly seconds: number; readonly accounts?: number },
  otherPaths: readonly string[] = [],
): Promise<LatencyResult> {
  const accountIds = Array.from({ length: load.accounts ?? 1 }, () => newId());
  // The failing endpoints come first, so that in any order that the dispatcher may use they are not processed last by
  // chance.
  for (const accountId of accountIds)
    for (const path of [...otherPaths, ...paths]) await producer.addEndpoint(accountId, `${sink.url}${path}`);
  const healthyPaths = paths.length + otherPaths.filter((path) => path.startsWith('/ok')).length;
  await sink.expect(load.ratePerSecond * load.seconds * healthyPaths);
  const emissions = await emitOpenLoop(load, (eventId, index) =>
    producer.emit(accountIds[index % accountIds.length] ?? '', eventId),
  );
  await sink.waitForAll(60_000);
  const { arrivals } = await sink.report();
  return summarize(emissions, paths, arrivals);
}

function summarize(
  emissions: readonly Emission[],
  paths: readonly string[],
  arrivals: readonly Arrival[],
): LatencyResult {
  const firstArrivals = new Map<string, number>();
  for (const [key, at] of arrivals) if (!firstArrivals.has(key)) firstArrivals.set(key, at);
  const keys: string[] = [];
  const latencies: number[] = [];
  for (const { eventId, dueAt } of emissions) {
    for (const path of paths) {
      const key = `${path} ${eventId}`;
      keys.push(key);
      const at = firstArrivals.get(key);
      if (at !== undefined) latencies.push(at - dueAt);
    }
  }
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    max: percentile(latencies, 1),
    emitP50: percentile(
      emissions.map(({ dueAt, committedAt }) => committedAt - dueAt),
      0.5,
    ),
    ledger: reconcile(keys, arrivals),
  };
}
