import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'kysely';
import { createMetrics } from '@steward/process';
import { eventually, releaseAfterAll, startTestReplication, type TestReplication } from '@steward/testing';
import type { Database } from '../create-database.ts';
import { createPools } from '../create-pools.ts';
import { connectTestDatabase } from '../testing/connect-test-database.ts';
import { createReplica, type Replica } from './create-replica.ts';
import { createReplicaMetrics } from './replica-metrics.ts';
import { selectWalPosition, type WalPosition } from './wal-position.ts';

const ignore = (): void => undefined;
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore } as never;

interface SharedName {
  readonly port: number;
  /** Ports of the servers that connections reached, in order. */
  readonly reached: number[];
  close(): void;
}

/**
 * A name that resolves to several servers, like that of a Kubernetes service: each connection reaches the next server.
 */
async function startSharedName(urls: readonly string[]): Promise<SharedName> {
  const reached: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const port = Number(new URL(urls[reached.length % urls.length] ?? '').port);
    reached.push(port);
    const upstream = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    reached,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a replica behind a name of several servers (PROC-21)', () => {
  const release = releaseAfterAll();
  let servers: TestReplication;
  let primary: Database;
  let replica: Replica;
  let reached: number[];
  let url: string;

  beforeAll(async () => {
    servers = await startTestReplication();
    release(() => servers.close());
    primary = connectTestDatabase(servers.database.url);
    release(() => primary.close());
    const shared = await startSharedName([servers.standbyUrl, servers.database.url]);
    ({ reached } = shared);
    release(() => shared.close());
    const named = new URL(servers.standbyUrl);
    named.port = String(shared.port);
    url = named.href;
    replica = openReplica(url);
    release(async () => void (await replica.component.stop?.()));
  });

  const openReplica = (at: string): Replica =>
    createReplica({
      url: at,
      applicationName: 'steward-test-replica',
      poolSize: 8,
      waitMs: 10_000,
      primary: primary.db,
      metrics: createReplicaMetrics(createMetrics('test')),
      logger,
    });

  async function readPosition(): Promise<WalPosition | null> {
    const { rows } = await sql<{ position: WalPosition | null }>`select ${selectWalPosition()} as position`.execute(
      primary.db,
    );
    return rows[0]?.position ?? null;
  }

  /** Reads which server responds: its port, or 0 for the primary that takes over. */
  async function read(from = replica): Promise<number> {
    const onReplica = async (): Promise<number> => {
      const { rows } = await sql<{ port: number }>`select inet_server_port() as port, pg_sleep(0.02)`.execute(from.db);
      return rows[0]?.port ?? -1;
    };
    return from.answer(await readPosition(), { onReplica, onPrimary: () => Promise.resolve(0) });
  }

  it('reads from one of them only, however many connections it opens', async () => {
    const standbyPort = Number(new URL(servers.standbyUrl).port);
    const ports = (await Promise.all(Array.from({ length: 40 }, () => read()))).concat(
      await Promise.all(Array.from({ length: 40 }, () => read())),
    );
    expect(new Set(reached).size).toBe(2);
    expect([...new Set(ports)].sort()).toEqual([0, standbyPort]);
    expect(ports.filter((port) => port === standbyPort).length).toBeGreaterThan(20);
  });

  it('keeps further pools at the same server', async () => {
    const { pools, component } = createPools({
      url,
      service: 'test-replica',
      logger,
      pools: { search: { size: 4, settings: { work_mem: '8MB' } } },
      admit: replica.admit,
    });
    try {
      const text = 'select pg_is_in_recovery() as standby, pg_sleep(0.02)';
      const answers = await Promise.allSettled(
        Array.from({ length: 8 }, () => pools.search.pool.query<{ standby: boolean }>(text)),
      );
      const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value.rows : []));
      const refused = answers.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).name] : []));
      expect(found.length).toBeGreaterThan(0);
      expect(found.every(({ standby }) => standby)).toBe(true);
      expect(new Set(refused)).toEqual(new Set(['OtherServerError']));
    } finally {
      await component.stop?.();
    }
  });

  it('leaves a server whose connections stay open although its checks reach another one', async () => {
    const other = openReplica(servers.standbyUrl);
    const { pools, component } = createPools({
      url: servers.database.url,
      service: 'test-replica',
      logger,
      pools: { held: { size: 1 } },
      admit: other.admit,
    });
    const held = await pools.held.pool.connect();
    try {
      expect(await read(other)).toBe(0);
      await eventually(async () => (await read(other)) > 0, { intervalMs: 200 });
      expect(await read(other)).toBe(Number(new URL(servers.standbyUrl).port));
    } finally {
      held.release(true);
      await component.stop?.();
      await other.component.stop?.();
    }
  });

  it('leaves a server that is no standby, and reads from the standby again when it is back', async () => {
    await servers.restartStandby();
    // The next connection may reach either server; one that reached the primary is closed.
    await eventually(async () => (await read()) > 0, { intervalMs: 200 });
    expect(await read()).toBe(Number(new URL(servers.standbyUrl).port));
  });
});
