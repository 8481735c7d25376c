import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { BROKER_USERS, listBrokerPermissions, type AppName } from '@steward/contracts';
import {
  makeScratchDirectory,
  readServerChoices,
  removeOwnScratch,
  startNats,
  startNatsCluster,
  type NatsServer,
  type NatsTls,
} from '@steward/local-servers';

export interface TestBroker {
  /** URL of the operator, who has all permissions: for tests that bypass the product, and for their own catalogs. */
  readonly url: string;
  /** Returns the URL of an app, with the permissions that it has in a deployment. */
  urlFor(app: AppName): string;
  stop(): Promise<void>;
  /** Kills the server as in a crash; `restart` starts it again on the same port with the same store. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

interface TestBrokerOptions {
  readonly extraArguments?: readonly string[];
  /**
   * Returns TLS settings for the host of the server's URL, with which it accepts only TLS and verifies client
   * certificates.
   */
  readonly tls?: (host: string) => NatsTls;
  /** True to admit all clients, like a server without any configuration. */
  readonly open?: boolean;
}

/**
 * Starts a nats-server with JetStream for one test file: streams have fixed names, so test files cannot share a server.
 */
export async function startTestBroker({ open = false, ...options }: TestBrokerOptions = {}): Promise<TestBroker> {
  const dataDirectory = makeDataDirectory();
  const users = BROKER_USERS.map((name) => ({
    name,
    password: randomBytes(32).toString('hex'),
    ...listBrokerPermissions(name),
  }));
  const server = await startNats({ ...options, ...(open ? {} : { users }), dataDirectory, ...describeThrowaway() });
  const urlFor = (wanted: string): string => {
    const url = new URL(server.url);
    const user = users.find(({ name }) => name === wanted);
    if (!open && user !== undefined) Object.assign(url, { username: user.name, password: user.password });
    return url.href;
  };
  return {
    url: urlFor('operator'),
    urlFor,
    kill: () => server.kill(),
    restart: () => server.restart(),
    async stop() {
      await server.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Kills the broker and deletes its store when this process exits, for a broker that no test file stops. */
export function endWithProcess(broker: TestBroker): void {
  process.once('exit', () => {
    // The signal is sent immediately.
    void broker.kill();
    removeOwnScratch();
  });
}

export interface TestBrokerCluster {
  readonly servers: readonly Pick<NatsServer, 'url' | 'kill'>[];
  stop(): Promise<void>;
}

/** Starts servers that form a cluster and admit all clients. */
export async function startTestBrokerCluster(size: number): Promise<TestBrokerCluster> {
  const dataDirectories = Array.from({ length: size }, makeDataDirectory);
  const { servers, stop } = await startNatsCluster({ dataDirectories, ...describeThrowaway() });
  return {
    servers,
    async stop() {
      await stop();
      for (const directory of dataDirectories) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function makeDataDirectory(): string {
  return makeScratchDirectory('nats');
}

function describeThrowaway() {
  return {
    durable: false,
    ...readServerChoices(process.env),
    progress: (line: string) => void process.stderr.write(`test broker: ${line}\n`),
  };
}
