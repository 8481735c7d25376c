import { migrateSlice, type KeyCheck, type SliceMigrations } from '@steward/database';
import { loadSettings, workerSettings, type RunnableApp } from '@steward/process';
import { createTestDatabase, eventually, startTestBroker, type TestBroker, type TestDatabase } from '@steward/testing';
import { assembleWorker } from './assemble-worker.ts';
import { connectService, type ServiceConnections } from './connect-service.ts';

const SLICE: SliceMigrations = { schema: 'served', migrations: { '0001_nothing': { up: () => Promise.resolve() } } };

let database: TestDatabase;
let broker: TestBroker;
beforeAll(async () => {
  [database, broker] = await Promise.all([createTestDatabase(), startTestBroker({ open: true })]);
  const connections = await connect();
  await migrateSlice(connections.database.db, SLICE);
  await stop(connections);
});
afterAll(() => Promise.all([database.drop(), broker.stop()]));

const environment = (change: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: database.url,
  NATS_URL: broker.url,
  HEALTH_HOST: '127.0.0.1',
  HEALTH_PORT: '0',
  LOG_LEVEL: 'error',
  ...change,
});

function connect(change: NodeJS.ProcessEnv = {}, slices: readonly SliceMigrations[] = []): Promise<ServiceConnections> {
  const settings = loadSettings(workerSettings, environment(change));
  return connectService({ service: 'search-indexer', settings, slices });
}

/** Stops in the order of the lifecycle: the last component that started stops first. */
async function stop(connections: ServiceConnections): Promise<void> {
  for (const component of connections.components.toReversed()) await component.stop?.();
}

/** Port of the discard service, where no server listens. */
const CLOSED_PORT = 9;

describe('the start of a process', () => {
  it('succeeds with both servers and a current schema (PROC-1, PROC-2)', async () => {
    const connections = await connect({}, [SLICE]);
    try {
      await eventually(async () => (await connections.probes.ready()).status === 200);
      await eventually(async () => {
        expect(await connections.probes.health()).toMatchObject({
          status: 200,
          body: { status: 'healthy', checks: { database: 'ok', broker: 'ok' } },
        });
        return true;
      });
    } finally {
      await stop(connections);
    }
  });

  it('adds the number of used and available database connections to its metrics', async () => {
    const connections = await connect({ DATABASE_POOL_SIZE: '7' });
    try {
      const client = await connections.database.pool.connect();
      const lines = (await connections.metrics.render()).split('\n');
      client.release();
      const read = (name: string) =>
        lines.filter((line) => line.startsWith(name)).map((line) => line.split(' ').at(-1));
      expect(read('steward_database_connections{')).toEqual(['1', '0']);
      expect(read('steward_database_connections_max{')).toEqual(['7']);
      expect(read('steward_database_connection_waiters{')).toEqual(['0']);
    } finally {
      await stop(connections);
    }
  });

  it.each([
    ['DATABASE_URL', (port: number) => `postgres://app:canary-password@127.0.0.1:${port}/steward`],
    ['DATABASE_DIRECT_URL', (port: number) => `postgres://app:canary-password@127.0.0.1:${port}/steward`],
    ['NATS_URL', (port: number) => `nats://app:canary-password@127.0.0.1:${port}`],
  ])('fails within 15 s if the server of %s is unavailable, naming it and its address (PROC-1)', async (name, at) => {
    const startedAt = performance.now();
    const error = await connect({ [name]: at(CLOSED_PORT) }).catch((caught: unknown) => caught as Error);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(error).toMatchObject({ name: 'StartupError' });
    const { message } = error as Error;
    expect(message).toContain(name);
    expect(message).toContain(`127.0.0.1:${CLOSED_PORT}`);
    expect(message).not.toContain('canary-password');
    expect(message).not.toContain('\n');
  });

  it('fails on an older schema, before connecting to the broker (PROC-2)', async () => {
    const behind = { ...SLICE, migrations: { ...SLICE.migrations, '0002_more': { up: () => Promise.resolve() } } };
    await expect(connect({ NATS_URL: `nats://127.0.0.1:${CLOSED_PORT}` }, [behind])).rejects.toThrow(
      /"served" is behind .*0002_more/,
    );
  });

  it('fails if its key decrypts none of the stored secrets, unless an operator allowed it (PROC-4)', async () => {
    const own = await connect();
    await own.database.pool.query(`create table if not exists served.secret (id text, value bytea)`);
    await own.database.pool.query(`insert into served.secret values ('one', '\\x02000000ff00')`);
    await stop(own);
    const column = { table: 'served.secret', column: 'value', key: ['id'], describeContext: () => '', purpose: 'test' };
    const keys = { columns: [column], boxes: { test: { prefixes: [] } }, variable: 'SECRET_KEY' };
    const settings = loadSettings(workerSettings, environment());
    const open = (isLost: boolean) =>
      connectService({ service: 'search-indexer', settings, slices: [], keys: { ...keys, isLost } as KeyCheck });
    await expect(open(false)).rejects.toThrow(/SECRET_KEY is not the key of this database/);
    await stop(await open(true));
  });

  it('succeeds with a schema to which a newer version has only added (PROC-2)', async () => {
    const { components } = await connect({}, [{ ...SLICE, migrations: {} }]);
    for (const component of components) await component.stop?.();
  });
});

describe('a worker', () => {
  let worker: RunnableApp;
  let connections: ServiceConnections;
  const steps: string[] = [];
  const address = (): string => `http://127.0.0.1:${String(worker.describe()['health_port'])}`;
  const component = (name: string) => ({
    name,
    start: () => void steps.push(`start ${name}`),
    stop: () => Promise.resolve(void steps.push(`stop ${name}`)),
  });

  beforeAll(async () => {
    connections = await connect({}, [SLICE]);
    worker = assembleWorker(connections, {
      shape: workerSettings,
      settings: loadSettings(workerSettings, environment({ HEALTH_PORT: '0' })),
      components: [component('first'), component('second')],
      activity: () => ({ rows_seen: 7 }),
    });
    await worker.lifecycle.start();
  });
  afterAll(() => worker.lifecycle.stop());

  it('starts its parts in order', () => {
    expect(steps).toEqual(['start first', 'start second']);
  });

  it.each([
    ['/livez', { status: 'alive' }],
    ['/readyz', { status: 'ready' }],
    ['/api/v1/health', { status: 'healthy', checks: { database: 'ok', broker: 'ok' }, activity: { rows_seen: 7 } }],
  ])('responds to %s with its version (PROC-5 to PROC-7)', async (path, body) => {
    // The request is repeated, since a check on a busy machine may exceed its time.
    await eventually(async () => {
      const answer = await fetch(`${address()}${path}`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ ...body, version: expect.any(String) as unknown });
      return true;
    });
  });

  it('exposes its metrics on the same port (PROC-7)', async () => {
    const text = await (await fetch(`${address()}/metrics`)).text();
    expect(text).toMatch(/^process_cpu_seconds_total|nodejs_/m);
  });

  it('logs its address and its settings, without secrets (API-15)', () => {
    const { settings } = worker.describe();
    expect(settings).toMatchObject({ HEALTH_HOST: '127.0.0.1' });
    const shown = new URL(String((settings as Record<string, unknown>)['DATABASE_URL']));
    expect([shown.username, shown.password]).toEqual(['', '']);
  });

  it('is degraded and remains ready without a broker, because messages are not essential (PROC-6, PROC-9)', async () => {
    await broker.kill();
    try {
      await eventually(async () => {
        const health = await fetch(`${address()}/api/v1/health`);
        expect(health.status).toBe(200);
        expect(await health.json()).toMatchObject({ status: 'degraded', checks: { database: 'ok', broker: 'failed' } });
        return true;
      });
      await eventually(async () => (await fetch(`${address()}/readyz`)).status === 200);
      expect((await fetch(`${address()}/livez`)).status).toBe(200);
    } finally {
      await broker.restart();
    }
  });

  it('is not ready while it still responds after a stop request, and stops its parts in reverse order (PROC-8)', async () => {
    const own = await connect({}, [SLICE]);
    await own.drain.stop?.();
    expect(await own.probes.ready()).toMatchObject({ status: 503, body: { status: 'draining' } });
    expect(own.probes.live().status).toBe(200);
    await stop(own);
    await worker.lifecycle.stop();
    expect(steps.slice(2)).toEqual(['stop second', 'stop first']);
    await expect(fetch(`${address()}/livez`)).rejects.toThrow();
  });
});
