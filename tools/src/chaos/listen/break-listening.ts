import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@steward/testing';
import type { CliRunner, RunningCli } from '../../e2e/run-cli.ts';
import type { Suite } from '../../e2e/start-suite.ts';
import { createClient, createOwner } from '../client.ts';
import type { Random } from '../random.ts';
import { createLedger, type LedgerSummary } from '../webhooks/ledger.ts';
import { produce } from '../webhooks/producer.ts';
import { startReceiver } from '../webhooks/start-receiver.ts';

export interface ListenRun {
  readonly suite: Suite;
  /** Runs the command with a separate home directory. */
  readonly openCli: (apiKey: string) => CliRunner;
  readonly events: number;
  readonly producers: number;
  readonly random: Random;
  /** True to freeze the command once, for longer than the gateway waits for a reader. */
  readonly freezesLong: boolean;
  readonly say: (line: string) => void;
}

export interface ListenResult extends LedgerSummary {
  /** Number of requests with an invalid signature. */
  readonly refused: number;
  readonly faults: number;
}

const DRAIN_MS = 180_000;
/** Maximum delay of a response in milliseconds; the command forwards events one at a time. */
const SLOWEST_ANSWER_MS = 4;
const DRAIN_PER_EVENT_MS = 50;
const HEALTHY_WITHIN_MS = 120_000;
/** Duration of the long freeze, longer than the 60 s after which the gateway ends a stream that is not read. */
const LONG_FREEZE_SECONDS = 70;

/**
 * Emits events while both ends of the stream are killed, stopped and frozen, and compares the events emitted with those
 * received.
 */
export async function breakListening(run: ListenRun): Promise<ListenResult> {
  const { suite, events, say } = run;
  const ledger = createLedger();
  const receiver = await startReceiver(ledger, SLOWEST_ANSWER_MS);
  const token = await createOwner(suite.url);
  const key = await createClient(suite.url, token).call('POST', '/api/v1/auth/api-keys', { name: 'listen' });
  const cli = run.openCli(String(key.body.key));
  try {
    const { stdout } = await cli.run(['webhooks', 'listen', '--events', 'session.ended', '--print-secret']);
    receiver.trust(0, stdout.trim());
    const listening = keepListening(cli, receiver.urlFor(0));
    const ending = new AbortController();
    const producing = Promise.all(
      Array.from({ length: run.producers }, (_, index) =>
        produce({ baseUrl: suite.url, token, name: `producer-${index}` }, ledger, {
          stopping: ending.signal,
          givingUp: AbortSignal.timeout(3_600_000),
        }),
      ),
    );
    const faults = await injectFaults(run, listening, () => ledger.countEmitted(), events);
    ending.abort();
    await producing;
    say(`${ledger.countEmitted()} events, ${ledger.readMissing().length} under way`);
    await eventually(() => ledger.readMissing().length === 0, {
      timeoutMs: DRAIN_MS + ledger.readMissing().length * DRAIN_PER_EVENT_MS,
      intervalMs: 200,
    }).catch(() => undefined);
    await listening.stop();
    return { ...ledger.summarize(), refused: receiver.countRefused(), faults };
  } finally {
    await cli.stop();
    await receiver.close();
  }
}

interface Listening {
  readonly pid: () => number | undefined;
  /** Kills the command and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

function keepListening(cli: CliRunner, forwardTo: string): Listening {
  const start = (): RunningCli =>
    cli.start(['webhooks', 'listen', '--events', 'session.ended', '--forward-to', forwardTo]);
  let current = start();
  const kill = async (): Promise<void> => {
    current.child.kill('SIGKILL');
    await current.ended;
  };
  return {
    pid: () => current.child.pid,
    async restart() {
      await kill();
      current = start();
    },
    stop: kill,
  };
}

async function injectFaults(
  run: ListenRun,
  listening: Listening,
  countEmitted: () => number,
  events: number,
): Promise<number> {
  const { suite, random, say } = run;
  const freeze = async (seconds: number): Promise<void> => {
    const pid = listening.pid();
    signal(pid, 'SIGSTOP');
    await delay(seconds * 1000);
    signal(pid, 'SIGCONT');
  };
  const faults: readonly (readonly [string, () => Promise<void> | void])[] = [
    ['kill -9 the gateway', () => signal(suite.readPid('api-gateway'), 'SIGKILL')],
    ['stop the gateway', () => signal(suite.readPid('api-gateway'), 'SIGTERM')],
    ['kill -9 the command', () => listening.restart()],
    ['freeze the command', () => freeze(random.between(0.5, 4))],
  ];
  let count = 0;
  const inject = async ([name, fault]: (typeof faults)[number]): Promise<void> => {
    say(`${name}, after ${countEmitted()} events`);
    count += 1;
    await fault();
  };
  // Each kind is injected once, then random kinds.
  const first = random.shuffle(faults);
  if (run.freezesLong) first.push(['freeze the command for long', () => freeze(LONG_FREEZE_SECONDS)]);
  while (first.length > 0 || countEmitted() < events) {
    // If the gateway were killed as soon as it runs, no events would be emitted.
    await suite.waitUntilHealthy(HEALTHY_WITHIN_MS);
    await delay(random.between(2, 6) * 1000);
    await inject(first.shift() ?? random.pick(faults));
  }
  await suite.waitUntilHealthy(HEALTHY_WITHIN_MS);
  return count;
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
