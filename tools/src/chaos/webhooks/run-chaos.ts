import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { findFreePort } from '@steward/local-servers';
import { eventually } from '@steward/testing';
import { bundlePath } from '../../build/bundle-apps.ts';
import { startSuite, type Suite } from '../../e2e/start-suite.ts';
import { connectClient } from '../../servers/connect-client.ts';
import { runWithCleanup, type Stop } from '../../servers/run-with-cleanup.ts';
import { startThrowawayPostgres } from '../../servers/start-throwaway-postgres.ts';
import { superviseProcess } from '../../stack/supervised-process.ts';
import { startProgress, type Say } from '../../start-progress.ts';
import { createRandom } from '../random.ts';
import { injectFaults } from './faults.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { readOptions, type ChaosOptions } from './options.ts';
import { createAccount, produce } from './producer.ts';
import { startReceiver, type ChaosReceiver } from './start-receiver.ts';

/** Delivery timeout, short enough that a lease (this time plus 20 s) can expire several times during a run. */
const DELIVERY_TIMEOUT_SECONDS = 2;
const LEASE_SECONDS = DELIVERY_TIMEOUT_SECONDS + 20;

/** Runs `npm run chaos -- webhooks`: see `--help`. */
export async function runChaos(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const say = startProgress();
  await runWithCleanup((stops) => run(options, say, stops));
  say('done');
}

async function run(options: ChaosOptions, say: Say, stops: Stop[]): Promise<void> {
  say(`seed ${options.seed}, ${options.seconds} s, ${options.producers} producers`);
  const postgres = await startThrowawayPostgres();
  stops.push(() => postgres.stop());
  const ledger = createLedger();
  const receiver = await startReceiver(ledger);
  stops.push(() => receiver.close());
  const suite = await startSuite({
    WEBHOOK_DELIVERY_TIMEOUT_SECONDS: String(DELIVERY_TIMEOUT_SECONDS),
    ACCOUNT_RATE_PER_MINUTE: '10000000',
  });
  stops.push(() => suite.stop());
  const second = await startSecondDispatcher(suite, stops);
  say('the suite is up, with two dispatchers');
  const produced = await startProducers(options, suite, receiver, ledger);
  const targets = {
    dispatchers: [
      { name: 'dispatcher 1', readPid: () => suite.readPid('webhook-dispatcher') },
      { name: 'dispatcher 2', readPid: second },
    ],
    readGatewayPid: () => suite.readPid('api-gateway'),
    broker: suite.broker,
    postgres,
    leaseSeconds: LEASE_SECONDS,
    say,
  };
  const faults = await injectFaults(targets, createRandom(options.seed), AbortSignal.timeout(options.seconds * 1000));
  say('no more faults; producers finish');
  await produced.stop();
  await suite.waitUntilHealthy(60_000);
  say(`every app is healthy; ${ledger.readMissing().length} of ${ledger.countEmitted()} events are under way`);
  await waitForAll(ledger, options.drainSeconds);
  const leftovers = await readLeftovers(suite.database.url);
  report(options, ledger, receiver, faults, leftovers);
}

/**
 * Starts a replica of the dispatcher, because another dispatcher must take over the deliveries of a frozen one. Returns
 * a function that reads its process id.
 */
async function startSecondDispatcher(suite: Suite, stops: Stop[]): Promise<() => number | undefined> {
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-chaos-'));
  let current: number | undefined;
  const replica = superviseProcess({
    name: 'webhook-dispatcher-2',
    file: bundlePath('webhook-dispatcher'),
    environment: suite.buildEnvironment('webhook-dispatcher', await findFreePort()),
    logFile: resolve(scratch, 'dispatcher-2.log'),
    onLine: () => undefined,
    onPid: (pid) => {
      current = pid;
    },
  });
  replica.start();
  stops.push(async () => {
    await replica.stop();
    rmSync(scratch, { recursive: true, force: true });
  });
  return () => current;
}

async function startProducers(options: ChaosOptions, suite: Suite, receiver: ChaosReceiver, ledger: Ledger) {
  const baseUrl = suite.url;
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const work: Promise<void>[] = [];
  for (let index = 0; index < options.producers; index += 1) {
    const { token, secret } = await createAccount(baseUrl, receiver.urlFor(index));
    receiver.trust(index, secret);
    const signals = { stopping: stopping.signal, givingUp: givingUp.signal };
    work.push(produce({ baseUrl, token, name: `producer-${index}` }, ledger, signals));
  }
  const all = Promise.all(work);
  // `stop` reports a rejection; if it occurs earlier, it must not end the process.
  all.catch(() => undefined);
  return {
    /** Ends every session that was opened, within a time limit. */
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => givingUp.abort(), 60_000);
      await all;
      clearTimeout(timer);
    },
  };
}

async function waitForAll(ledger: Ledger, seconds: number): Promise<void> {
  try {
    await eventually(() => ledger.readMissing().length === 0, { timeoutMs: seconds * 1000, intervalMs: 200 });
  } catch {
    // Missing events are listed in the report.
  }
}

interface Leftovers {
  readonly undelivered: number;
  readonly counted: number;
}

/**
 * Reads the rows and the counter that limits them, which have to agree after every crash: at the end, no rows are left
 * and the counter is zero.
 */
async function readLeftovers(databaseUrl: string): Promise<Leftovers> {
  const client = await connectClient(databaseUrl);
  const read = async (): Promise<Leftovers> => {
    const { rows } = await client.query<Leftovers>(
      `select (select count(*)::int from webhooks.delivery) as undelivered,
        (select coalesce(sum(pending), 0)::int from webhooks.outbox_shard) as counted`,
    );
    return rows[0] ?? { undelivered: Number.NaN, counted: Number.NaN };
  };
  try {
    // A duplicate may still be pending when the last event has arrived, because its claim ends only with the lease.
    await eventually(async () => (await read()).undelivered === 0, { timeoutMs: (LEASE_SECONDS + 20) * 1000 }).catch(
      () => undefined,
    );
    return await read();
  } finally {
    await client.end();
  }
}

function report(
  options: ChaosOptions,
  ledger: Ledger,
  receiver: ChaosReceiver,
  faults: ReadonlyMap<string, number>,
  { undelivered, counted }: Leftovers,
): void {
  const summary = ledger.summarize();
  const line = (name: string, value: number): void => console.log(`  ${name.padEnd(46)}${String(value).padStart(8)}`);
  console.log(`\nFaults (seed ${options.seed})\n`);
  for (const [name, count] of faults) line(name, count);
  console.log('\nLedger\n');
  line('emitted (the API answered that it ended)', summary.emitted);
  line('delivered at least once', summary.delivered);
  line('duplicates (allowed)', summary.duplicates);
  line('delivered, though the API could not answer', summary.unannounced);
  line('lost', summary.lost);
  line('facts under more than one event id', summary.splitIds);
  line('requests that could not be verified', receiver.countRefused());
  line('deliveries left in the outbox', undelivered);
  line('deliveries counted by the bound', counted);
  const broken = [summary.lost, summary.splitIds, receiver.countRefused(), undelivered, counted].some((n) => n !== 0);
  console.log(broken ? '\n  FAILED\n' : '\n  nothing was lost\n');
  if (broken || summary.emitted === 0) process.exitCode = 1;
}
