import pg from 'pg';
import { newId } from '@steward/crypto';
import { startTestGateway, type TestGateway } from '../../../testing/start-gateway.ts';

interface Health {
  readonly checked_at: string;
  readonly queues: readonly {
    readonly name: string;
    readonly waiting: number | null;
    readonly oldest_waiting_seconds: number | null;
    readonly is_late: boolean;
  }[];
  readonly messages: readonly { readonly name: string; readonly waiting: number | null }[];
  readonly processes: readonly { readonly app: string; readonly connections: number | null }[];
  readonly database: { readonly size_bytes: number } | null;
  readonly replica: unknown;
}

describe('the health of a deployment (PROC-23)', () => {
  let gateway: TestGateway;
  const open = async (settings: Readonly<Record<string, string>> = {}) => {
    gateway = await startTestGateway({ REGISTRATION_ENABLED: 'true', ...settings });
  };
  afterEach(() => gateway.close());

  const runAsOwner = async (text: string, values: unknown[]) => {
    const client = new pg.Client({ connectionString: gateway.database.url });
    await client.connect();
    await client.query(text, values);
    await client.end();
  };
  const read = async (token: string) => {
    const { status, body } = await gateway.call('GET', '/api/v1/deployment/health', { token });
    return { status, body: body as unknown as Health & { readonly detail?: { readonly code: string } } };
  };
  const isOperated = async (token: string) =>
    (await gateway.call('GET', '/api/v1/deployment', { token })).body.operated_by_account;

  it('has the queues, messages, processes and the size of the database', async () => {
    await open();
    const { accessToken: token, accountId } = await gateway.registerAccount();
    await runAsOwner(
      `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, created_at)
       values ($1, $2, $3, 'a flow', 'PENDING', 'manual', '{}', now() - interval '10 minutes')`,
      [newId(), accountId, newId()],
    );
    const { status, body } = await read(token);
    expect(status).toBe(200);
    expect(body.queues.map(({ name }) => name)).toEqual([
      'deliveries',
      'executions',
      'embedding',
      'history',
      'statistics',
    ]);
    expect(body.queues.filter(({ waiting }) => waiting === null)).toEqual([]);
    expect(body.queues[1]).toMatchObject({ waiting: 1, is_late: true });
    expect(body.queues[1]?.oldest_waiting_seconds).toBeGreaterThanOrEqual(600);
    expect(body.queues[0]).toMatchObject({ waiting: 0, oldest_waiting_seconds: 0, is_late: false });
    expect(body.messages.map(({ name, waiting }) => [name, typeof waiting])).toEqual([
      ['chunk-written', 'number'],
      ['event-emitted', 'number'],
      ['trigger-accepted', 'number'],
    ]);
    const byApp = Object.fromEntries(body.processes.map(({ app, connections }) => [app, connections]));
    expect(byApp['api-gateway']).toBeGreaterThan(0);
    expect(byApp['webhook-dispatcher']).toBe(0);
    expect(body.database?.size_bytes).toBeGreaterThan(1_000_000);
    expect(body.replica).toBeNull();
  });

  it('is only for user administrators of the only account, and for nobody once there are several', async () => {
    await open();
    const { accessToken: token } = await gateway.registerAccount();
    expect([(await read(token)).status, await isOperated(token)]).toEqual([200, true]);
    const { body } = await gateway.call('POST', '/api/v1/auth/api-keys', {
      token,
      body: { name: 'reader', scopes: ['view_audit_logs'] },
    });
    expect((await read(String(body.key))).status).toBe(403);
    const { accessToken: other } = await gateway.registerAccount();
    for (const each of [token, other]) {
      expect(await isOperated(each)).toBe(false);
      expect(await read(each)).toMatchObject({ status: 403, body: { detail: { code: 'permission_denied' } } });
    }
  });

  it('is for the accounts in OPERATOR_ACCOUNTS', async () => {
    await open({ OPERATOR_ACCOUNTS: newId() });
    const { accessToken: token } = await gateway.registerAccount();
    expect([(await read(token)).status, await isOperated(token)]).toEqual([403, false]);
    expect((await gateway.call('GET', '/api/v1/deployment/health')).status).toBe(401);
  });

  it('lacks a figure that cannot be read in time, and has all others', async () => {
    await open();
    const { accessToken: token } = await gateway.registerAccount();
    const holder = new pg.Client({ connectionString: gateway.database.url });
    await holder.connect();
    await holder.query('begin; lock table stats.pending in access exclusive mode');
    const { status, body } = await read(token);
    await holder.end();
    expect(status).toBe(200);
    expect(body.queues.filter(({ waiting }) => waiting === null).map(({ name }) => name)).toEqual(['statistics']);
  });

  it('is read by many requests with one set of queries', async () => {
    await open();
    const { accessToken: token } = await gateway.registerAccount();
    const answers = await Promise.all(Array.from({ length: 5 }, () => read(token)));
    expect(new Set(answers.map(({ body }) => body.checked_at)).size).toBe(1);
  });
});
