import { Writable } from 'node:stream';
import { createLogger, createMetrics, type Metrics } from '@steward/process';
import {
  eventually as waitUntil,
  startTestBroker,
  startTestBrokerCluster,
  type TestBroker as TestServer,
  type TestBrokerCluster,
} from '@steward/testing';
import { connectBroker, type BrokerOptions } from '../connect-broker.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Broker } from '../broker.ts';

export type { TestServer };

export interface TestBroker<C extends Catalogue> {
  readonly broker: Broker<C>;
  readonly metrics: Metrics;
  /** All log lines so far, parsed. */
  readonly lines: readonly Record<string, unknown>[];
}

const connected: { close(): Promise<void> }[] = [];
const servers: { stop(): Promise<void> }[] = [];

/**
 * Closes all servers and connections of a test file, in which it is called once: after a failed test, nothing keeps the
 * test run alive.
 */
export function useTestBrokers(): void {
  afterAll(async () => {
    await Promise.all(connected.splice(0).map((broker) => broker.close()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
}

export async function connectTestBroker<C extends Catalogue>(
  url: string,
  catalogue: C,
  options: Partial<BrokerOptions> = {},
): Promise<TestBroker<C>> {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const metrics = createMetrics('broker-test');
  const logger = createLogger({ service: 'broker-test', level: 'debug', pretty: false, stream });
  const broker = await connectBroker({ url, name: 'broker-test', logger, metrics, ...options }, catalogue);
  connected.push(broker);
  return { broker, metrics, lines };
}

/** Repeats the assertion until it passes; finally throws the last failure. */
export async function eventually(assert: () => unknown): Promise<void> {
  const attempt = async (): Promise<true> => {
    await assert();
    return true;
  };
  await waitUntil(attempt);
}

/** Starts a nats-server for one test. */
export async function startServer(options: Parameters<typeof startTestBroker>[0] = {}): Promise<TestServer> {
  const server = await startTestBroker(options);
  servers.push(server);
  return server;
}

/** Starts a cluster of servers for one test. */
export async function startCluster(size: number): Promise<TestBrokerCluster['servers']> {
  const cluster = await startTestBrokerCluster(size);
  servers.push(cluster);
  return cluster.servers;
}
