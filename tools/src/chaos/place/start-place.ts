import { resolve } from 'node:path';
import { readServerChoices, startReplicatedPostgres, type ReplicatedPostgres } from '@steward/local-servers';
import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import { startSuite, type Suite, type SuiteDatabase } from '../../e2e/start-suite.ts';
import { createTemplate } from '../../servers/create-template.ts';
import type { Stop } from '../../servers/run-with-cleanup.ts';
import type { Say } from '../../start-progress.ts';
import { createScheduleClock, type ScheduleClock } from './schedule-clock.ts';
import { createSmallDisk, type SmallDisk } from './small-disk.ts';
import { startCounter, type Counter } from './start-counter.ts';
import { startCountingTools, type CountingTools } from './start-counting-tools.ts';
import { startNatsTrio, type NatsTrio } from './start-nats-trio.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A suite with its own servers, and simulated external systems that count what reaches them. */
export interface Place {
  readonly say: Say;
  readonly suite: Suite;
  readonly postgres: ReplicatedPostgres;
  readonly databaseProxy: TcpProxy;
  readonly nats: NatsTrio;
  readonly disks: Disks;
  /** The model provider. */
  readonly provider: FakeProvider;
  /** The tool server. */
  readonly tools: CountingTools;
  /** Server to which the agents of flows report. */
  readonly counter: Counter;
  readonly clock: ScheduleClock;
}

export interface Disks {
  readonly primary: SmallDisk;
  readonly standby: SmallDisk;
  readonly nats: SmallDisk;
}

const POSTGRES_MEGABYTES = 800;
/** Each server reserves the maximum sizes of its streams, 896 MiB in total, out of three quarters of the free space. */
const NATS_MEGABYTES = 1400;
/** Time after which a killed worker loses its runs. */
const FLOW_LEASE_SECONDS = 5;

/** Starts everything, and adds a function to `stops` for each part. */
export async function startPlace(say: Say, stops: Stop[]): Promise<Place> {
  const [primary, standby, other] = [
    await createSmallDisk(POSTGRES_MEGABYTES),
    await createSmallDisk(POSTGRES_MEGABYTES),
    await createSmallDisk(NATS_MEGABYTES),
  ];
  const disks = { primary, standby, nats: other };
  for (const disk of Object.values(disks)) stops.push(() => disk.remove());
  const { allowInstall } = readServerChoices(process.env);
  const postgres = await startReplicatedPostgres({
    directories: { primary: resolve(primary.directory, 'data'), standby: resolve(standby.directory, 'data') },
    isSynchronous: true,
    allowInstall,
    progress: say,
  });
  stops.push(() => postgres.stop());
  const databaseProxy = await startTcpProxy([portOf(postgres.primary.url)]);
  stops.push(() => databaseProxy.close());
  const nats = await startNatsTrio(other.directory);
  stops.push(() => nats.stop());
  say(`Postgres with a standby and three NATS servers run; a full disk is a ${primary.kind}`);
  const provider = await startFakeProvider();
  stops.push(() => provider.close());
  const tools = await startCountingTools();
  stops.push(() => tools.close());
  const counter = await startCounter();
  stops.push(() => counter.close());
  const database = await prepareDatabase(postgres.primary.url, databaseProxy.port);
  const suite = await startSuite(
    {
      NATS_STREAM_REPLICAS: '3',
      ACCOUNT_RATE_PER_MINUTE: '10000000',
      FLOW_TRIGGER_RATE_PER_MINUTE: '100000',
      FLOW_LEASE_SECONDS: String(FLOW_LEASE_SECONDS),
      FLOW_RECONCILE_SECONDS: '1',
      // Agents report to a server on this machine.
      FLOW_NETWORK: 'shared',
      WEBHOOK_DELIVERY_TIMEOUT_SECONDS: '2',
      MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
      MCP_ALLOW_INSECURE_URLS: new URL(tools.url).origin,
    },
    database,
    nats.broker,
  );
  stops.push(() => suite.stop());
  const clock = createScheduleClock(database.url);
  // The clock is set before the first schedule is created, because the real time is ahead of it.
  await clock.advance();
  return { say, suite, postgres, databaseProxy, nats, disks, provider, tools, counter, clock };
}

async function prepareDatabase(url: string, proxyPort: number): Promise<SuiteDatabase> {
  const { template, rolePasswords } = await createTemplate(url);
  const through = new URL(url);
  through.port = String(proxyPort);
  through.pathname = `/${template}`;
  return {
    url: through.href,
    rolePasswords,
    urlForRole: (role) => {
      const own = new URL(through);
      Object.assign(own, { username: role, password: encodeURIComponent(rolePasswords[role] ?? '') });
      return own.href;
    },
    drop: () => Promise.resolve(),
  };
}

export function portOf(url: string): number {
  return Number(new URL(url).port);
}
