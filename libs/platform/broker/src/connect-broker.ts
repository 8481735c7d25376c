import { limitTime } from '@steward/async';
import { MESSAGES, type AppName } from '@steward/contracts';
import { maskUrl, StartupError, type Logger, type Metrics, type TlsFiles } from '@steward/process';
import { createBroker, type Broker } from './broker.ts';
import type { Catalogue } from './catalogue.ts';
import { connectNats } from './nats/connect-nats.ts';
import type { NatsClient } from './nats/nats-types.ts';
import type { RetryDelay } from './settlement.ts';

export interface BrokerOptions {
  /**
   * URL of the server, `nats://` or `tls://`, with user and password or a token before the host if the server requires
   * them.
   */
  readonly url: string;
  /** Files for TLS; TLS is used if the URL begins with `tls://`, or if `caFile` or `certFile` is set. */
  readonly tls?: TlsFiles;
  /** Name of the service, shown in the server's connection list and used in the reply subjects. */
  readonly name: string;
  /** App whose streams and consumers `ensureStreams` sets up; default: those of the whole catalog. */
  readonly app?: AppName;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Time limit in seconds for the first connection; default: 10. */
  readonly connectTimeoutSeconds?: number;
  /** Replicas of each stream in a JetStream cluster; default: 1 for a new stream, unchanged for an existing one. */
  readonly replicas?: number | undefined;
  /**
   * Returns the delay before a failed message is delivered again; default: 1 s, doubled after each failure, up to 60 s.
   */
  readonly retryDelay?: RetryDelay;
}

/**
 * Connects to NATS and checks that it has JetStream. A connection that is lost later is restored without a restart,
 * with any number of attempts.
 *
 * @throws StartupError naming NATS_URL and the address without credentials
 */
export async function connectBroker(options: BrokerOptions): Promise<Broker>;
export async function connectBroker<C extends Catalogue>(options: BrokerOptions, catalogue: C): Promise<Broker<C>>;
export async function connectBroker(
  options: BrokerOptions,
  catalogue: Catalogue = MESSAGES,
): Promise<Broker<Catalogue>> {
  const connectTimeoutSeconds = options.connectTimeoutSeconds ?? 10;
  const address = maskUrl(options.url);
  const client = await openClient({ ...options, connectTimeoutSeconds, address });
  client.onConnectionChange((connected) => {
    if (connected) options.logger.info('broker.reconnected', { address });
    else options.logger.warn('broker.disconnected', { address });
  });
  client.onDenied((denied) => options.logger.warn('broker.permission_denied', { ...denied, address }));
  return createBroker(client, catalogue, options);
}

interface OpenOptions {
  readonly url: string;
  readonly tls?: TlsFiles;
  readonly name: string;
  readonly connectTimeoutSeconds: number;
  readonly address: string;
}

async function openClient(options: OpenOptions): Promise<NatsClient> {
  const { address, connectTimeoutSeconds } = options;
  let client: NatsClient;
  try {
    client = await connectWithin(options, connectTimeoutSeconds * 1000);
  } catch (cause) {
    throw new StartupError(`cannot reach NATS at ${address} (${describe(cause)}); check NATS_URL`, { cause });
  }
  const problem = await findJetStreamProblem(client);
  if (problem === undefined) return client;
  await client.drain();
  throw new StartupError(`NATS at ${address} ${problem} (NATS_URL)`);
}

/**
 * Connects within a time limit. The client's own time limit applies to each address, and a host name may have several
 * addresses.
 */
async function connectWithin(options: OpenOptions, milliseconds: number): Promise<NatsClient> {
  const connecting = connectNats(options);
  return limitTime(connecting, milliseconds, () => {
    // If the connection is opened after the time limit, it is closed again, since it must not keep the process alive.
    void connecting.then((late) => late.drain()).catch(() => undefined);
    return new Error(`no response within ${milliseconds / 1000} s`);
  });
}

async function findJetStreamProblem(client: NatsClient): Promise<string | undefined> {
  try {
    return (await client.hasJetStream()) ? undefined : 'runs without JetStream; start nats-server with -js';
  } catch (error) {
    return `does not respond to JetStream requests: ${describe(error)}`;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
}
