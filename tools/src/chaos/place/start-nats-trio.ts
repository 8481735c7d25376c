import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { BROKER_USERS, listBrokerPermissions } from '@steward/contracts';
import { readServerChoices, startNatsCluster, type NatsServer } from '@steward/local-servers';
import type { TestBroker } from '@steward/testing';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Three NATS servers behind one proxy, as behind a Kubernetes service. */
export interface NatsTrio {
  readonly broker: TestBroker;
  readonly proxy: TcpProxy;
  readonly servers: readonly NatsServer[];
  /** Kills a server and deletes its data; `restart` of the server starts it without data. */
  loseServer(index: number): Promise<void>;
  stop(): Promise<void>;
}

const SIZE = 3;

/** @param directory - receives a folder for each server */
export async function startNatsTrio(directory: string): Promise<NatsTrio> {
  const users = BROKER_USERS.map((name) => ({
    name,
    password: randomBytes(32).toString('hex'),
    ...listBrokerPermissions(name),
  }));
  const folders = Array.from({ length: SIZE }, (_, index) => resolve(directory, `nats-${index + 1}`));
  const { servers, stop } = await startNatsCluster({
    dataDirectories: folders,
    durable: false,
    users,
    // Clients are not told the addresses of the servers behind the proxy.
    extraArguments: ['--no_advertise'],
    ...readServerChoices(process.env),
    progress: () => undefined,
  });
  const proxy = await startTcpProxy(servers.map(({ url }) => Number(new URL(url).port)));
  const urlFor = (wanted: string): string => {
    const user = users.find(({ name }) => name === wanted);
    const url = new URL(`nats://127.0.0.1:${proxy.port}`);
    if (user !== undefined) Object.assign(url, { username: user.name, password: user.password });
    return url.href;
  };
  const all = async (change: (server: NatsServer) => Promise<void>): Promise<void> =>
    void (await Promise.all(servers.map(change)));
  const end = async (): Promise<void> => {
    await proxy.close();
    await stop();
  };
  return {
    proxy,
    servers,
    broker: {
      url: urlFor('operator'),
      urlFor,
      kill: () => all((server) => server.kill()),
      restart: () => all((server) => server.restart()),
      stop: end,
    },
    async loseServer(index) {
      await servers[index]?.kill();
      rmSync(resolve(folders[index] ?? '', 'jetstream'), { recursive: true, force: true });
    },
    stop: end,
  };
}
