import { randomUUID } from 'node:crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { migrateAll } from '@steward/migrations';
import { eventually, releaseAfterAll, scaleLimit, startTestReplication, type TestReplication } from '@steward/testing';
import { connectMcp } from './testing/mcp-tests.ts';
import { startTestGateway, type TestAccount, type TestGateway } from './testing/start-gateway.ts';

const START_TIMEOUT_MS = scaleLimit(240_000);
const SESSIONS = '/api/v1/runtime-sessions';
const READS = [
  SESSIONS,
  '/api/v1/audit-log',
  '/api/v1/flows',
  '/api/v1/flows/executions',
  '/api/v1/event-webhooks/endpoints',
  '/api/v1/event-webhooks/deliveries',
  '/api/v1/event-webhooks/deliveries/dead-letter',
  '/api/v1/usage',
  '/api/v1/usage/summary?group_by=model',
  '/api/v1/approval-requests',
  '/api/v1/agents',
  '/api/v1/agents/discovery-candidates',
  '/api/v1/stats/sessions',
];

describe('a gateway with a replica (PROC-21)', () => {
  const release = releaseAfterAll();
  let servers: TestReplication;
  let gateway: TestGateway;
  let account: TestAccount;
  let standby: Database;

  beforeAll(async () => {
    servers = await startTestReplication();
    release(() => servers.close());
    const { database, rolePasswords } = servers;
    await migrateAll({ databaseUrl: database.url, rolePasswords, log: () => undefined });
    const environment = {
      DATABASE_READ_URL: servers.standbyUrlForRole(APP_ROLES.apiGateway),
      DATABASE_READ_WAIT_MS: '5000',
      HEALTH_PORT: '0',
      SERVICE_EDITION: 'enterprise',
    };
    gateway = await startTestGateway(environment, () => Promise.resolve(database));
    release(() => gateway.close());
    standby = connectTestDatabase(servers.standbyUrl);
    release(() => standby.close());
    account = await gateway.registerAccount();
  }, START_TIMEOUT_MS);

  const call = (method: string, path: string, body?: unknown, via: Pick<TestGateway, 'call'> = gateway) =>
    via.call(method, path, { token: account.accessToken, ...(body === undefined ? {} : { body }) });

  /** Stores a session with a unique word. */
  async function write(
    via: Pick<TestGateway, 'call'> = gateway,
  ): Promise<{ readonly id: string; readonly word: string }> {
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const session = { session_source_type: 'test', session_source_id: word, title: `Deploy ${word}` };
    const { status, body } = await call('POST', SESSIONS, session, via);
    expect(status).toBe(201);
    return { id: body.id, word };
  }

  async function find(word: string, via: Pick<TestGateway, 'call'> = gateway): Promise<string[]> {
    const { status, body } = await call('POST', `${SESSIONS}/search`, { query: word }, via);
    expect(status).toBe(200);
    return body.results.map((one: { readonly runtime_session_id: string }) => one.runtime_session_id);
  }

  /** Returns the number of reads with these labels: the database that served them, and the reason. */
  async function count(labels: string): Promise<number> {
    const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('steward_replica_reads_total{'));
    return lines.filter((line) => line.includes(labels)).reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
  }
  const countReplica = () => count('answered_by="replica"');

  it.each(READS)('reads %s from the replica, which is read-only', async (path) => {
    const before = await countReplica();
    const { status } = await call('GET', path);
    expect([status, (await countReplica()) - before]).toEqual([200, 1]);
  });

  it('reads searches, a session and its timeline from the replica', async () => {
    const { id, word } = await write();
    const before = await countReplica();
    expect(await find(word)).toEqual([id]);
    expect((await call('GET', `${SESSIONS}/${id}`)).body.id).toBe(id);
    expect((await call('GET', `${SESSIONS}/${id}/timeline`)).status).toBe(200);
    expect((await call('GET', `${SESSIONS}/${id}/similar`)).status).toBe(200);
    expect((await countReplica()) - before).toBe(4);
  });

  it('reads searches of agents from the replica, also with a caller that was not read for the request', async () => {
    const { body: made } = await call('POST', '/api/v1/auth/api-keys', { name: 'agent' });
    const agent = await connectMcp(gateway.url, made.key);
    const readReused = async (): Promise<number> => {
      const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
      return Number(/^steward_callers_total\{.*outcome="reused".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    try {
      await eventually(async () => {
        const before = await readReused();
        await agent.call('search_sessions', { query: 'nothing' });
        return (await readReused()) > before;
      });
      for (let round = 0; round < 10; round += 1) {
        const { id, word } = await write({
          call: (method, path, options) => gateway.call(method, path, { ...options, token: made.key }),
        });
        const before = await countReplica();
        const { content } = await agent.call('search_sessions', { query: word });
        expect(JSON.stringify(content)).toContain(id);
        expect((await countReplica()) - before).toBe(1);
      }
      expect(await readReused()).toBeGreaterThan(1);
    } finally {
      await agent.close();
    }
  });

  it('returns written data in the next request, in every process', async () => {
    const twin = await gateway.startTwin();
    try {
      for (let round = 0; round < 25; round += 1) {
        const [writer, reader] = round % 2 === 0 ? [gateway, twin] : [twin, gateway];
        const { id, word } = await write(writer);
        expect(await find(word, reader)).toEqual([id]);
        const { body } = await call('GET', `${SESSIONS}?limit=1`, undefined, reader);
        expect(body.items[0].id).toBe(id);
      }
    } finally {
      await twin.close();
    }
  });

  it('stores the titles that a list generates in the primary database', async () => {
    const { body: session } = await call('POST', SESSIONS, {
      session_source_type: 'test',
      session_source_id: 'untitled',
    });
    await call('POST', `${SESSIONS}/${session.id}/interactions`, {
      model_alias: 'm1',
      provider_name: 'p1',
      request: { messages: [{ role: 'user', content: 'please repair the gate' }] },
      response: { choices: [{ message: { content: 'done' } }] },
    });
    const before = await countReplica();
    const { body } = await call('GET', SESSIONS);
    const { title } = body.items.find((one: { readonly id: string }) => one.id === session.id);
    expect(title).toMatch(/gate/);
    expect((await countReplica()) - before).toBe(1);
    expect((await call('GET', `${SESSIONS}/${session.id}`)).body.title).toBe(title);
  });

  it('reads from the primary while the replica lacks committed data, and then from the replica again', async () => {
    await standby.pool.query('select pg_wal_replay_pause()');
    const behind = () => count('answered_by="primary",reason="behind"');
    const before = await behind();
    const { id, word } = await write();
    expect(await find(word)).toEqual([id]);
    expect((await call('GET', `${SESSIONS}?limit=1`)).body.items[0].id).toBe(id);
    expect((await behind()) - before).toBe(2);
    const lag = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
    expect(Number(/^steward_replica_lag_bytes\S* (\d+)$/m.exec(lag)?.[1])).toBeGreaterThan(0);
    await standby.pool.query('select pg_wal_replay_resume()');
    const answered = await countReplica();
    await eventually(async () => {
      expect(await find(word)).toEqual([id]);
      return (await countReplica()) > answered;
    });
  });

  it('serves every read while its replica restarts, and then uses the replica again', async () => {
    const { id, word } = await write();
    let isOver = false;
    const restart = servers.restartStandby().finally(() => (isOver = true));
    while (!isOver) expect(await find(word)).toEqual([id]);
    await restart;
    const before = await countReplica();
    await eventually(async () => {
      expect(await find(word)).toEqual([id]);
      return (await countReplica()) > before;
    });
  });

  it('serves every read if its replica is unavailable', async () => {
    await servers.stopStandby();
    const { id, word } = await write();
    for (let round = 0; round < 5; round += 1) expect(await find(word)).toEqual([id]);
    expect((await call('GET', `${SESSIONS}?limit=1`)).body.items[0].id).toBe(id);
    expect(await count('answered_by="primary",reason="away"')).toBeGreaterThan(0);
  });
});
