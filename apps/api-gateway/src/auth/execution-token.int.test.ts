import { newId } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { issueExecutionToken } from '@steward/identity';
import { insertRun, issueRunToken } from '../testing/insert-run.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../testing/start-gateway.ts';

describe('the token of a running agent', () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let owner: string;
  let database: Database;
  let worker: Database;
  let token: string;
  let own: string;
  let other: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    account = await gateway.registerAccount();
    owner = account.accessToken;
    const open = async (id: string): Promise<string> =>
      (
        await gateway.call('POST', '/api/v1/runtime-sessions', {
          token: owner,
          body: { session_source_type: 'test', session_source_id: id },
        })
      ).body.id;
    [own, other] = [await open('own'), await open('other')];
    database = connectTestDatabase(gateway.database.url);
    worker = connectTestDatabase(gateway.database.urlForRole(APP_ROLES.flowTrigger));
    token = (await issue(await startRun(own))) ?? '';
  });
  afterAll(async () => {
    await database.close();
    await worker.close();
    await gateway.close();
  });

  const call = async (method: string, path: string, body?: unknown, bearer = token): Promise<number> =>
    (await gateway.call(method, path, { token: bearer, ...(body === undefined ? {} : { body }) })).status;

  const startRun = (sessionId: string) =>
    insertRun((text, values) => database.pool.query(text, values), { accountId: account.accountId, sessionId });

  const issue = (run: { executionId: string; leaseToken: string }) => issueExecutionToken(worker.db, run);

  it('spends the request budget of its account (LIM-1)', async () => {
    // The budget is one request per minute, so it does not refill during this test.
    const frugal = await startTestGateway({ ACCOUNT_RATE_PER_MINUTE: '1' });
    const admin = connectTestDatabase(frugal.database.url);
    try {
      const { accountId, accessToken } = await frugal.registerAccount();
      const query = (text: string, values: unknown[]) => admin.pool.query(text, values);
      const run = await insertRun(query, { accountId, sessionId: newId() });
      const bearer = await issueRunToken(frugal, run);
      const read = async (by: string) => (await frugal.call('GET', '/api/v1/flows', { token: by })).status;
      expect([await read(bearer), await read(accessToken), await read(bearer)]).toEqual([200, 429, 429]);
    } finally {
      await admin.close();
      await frugal.close();
    }
  });

  it('reads its account and writes to its own session (ACC-31, ACC-32)', async () => {
    expect(await call('GET', '/api/v1/runtime-sessions')).toBe(200);
    expect(await call('GET', `/api/v1/runtime-sessions/${other}`)).toBe(200);
    expect(await call('POST', '/api/v1/runtime-sessions/search', { query: 'x' })).toBe(200);
    expect(await call('POST', `/api/v1/runtime-sessions/${own}/tool-calls`, { tool_name: 'grep', arguments: {} })).toBe(
      201,
    );
    expect(await call('PATCH', `/api/v1/runtime-sessions/${own}`, { summary: 'done' })).toBe(200);
  });

  it('reads other sessions and executions as a viewer does: with credentials masked (ACC-32, MASK-3)', async () => {
    const secret = 'canary-Hunter2-of-others';
    for (const [id, isOwn] of [
      [own, true],
      [other, false],
    ] as const) {
      const path = `/api/v1/runtime-sessions/${id}`;
      const text = `DB_PASSWORD=${secret}`;
      await call('PATCH', path, { summary: text }, owner);
      await call('POST', `${path}/tool-calls`, { tool_name: 'env', arguments: {}, result: text }, owner);
      for (const place of [path, `${path}/timeline`]) {
        const { body } = await gateway.call('GET', place, { token });
        expect([place, JSON.stringify(body).includes(secret)]).toEqual([place, isOwn]);
      }
    }
    const run = await startRun(other);
    await database.pool.query('update flows.execution set resolved_input_prompt = $2 where id = $1', [
      run.executionId,
      `DB_PASSWORD=${secret}`,
    ]);
    const { body } = await gateway.call('GET', `/api/v1/flows/executions/${run.executionId}`, { token });
    expect(body.resolved_input_prompt).toBe('DB_PASSWORD=[redacted]');
  });

  it('cannot write to other sessions: they are reported as not found (ACC-32)', async () => {
    for (const [method, path, body] of [
      ['POST', 'tool-calls', { tool_name: 'grep', arguments: {} }],
      ['POST', 'transcript', { messages: [{ role: 'user', content: 'x' }] }],
      ['POST', 'end', {}],
      ['PATCH', '', { summary: 'x' }],
    ] as const) {
      expect(await call(method, `/api/v1/runtime-sessions/${other}/${path}`.replace(/\/$/, ''), body)).toBe(404);
    }
  });

  it('cannot delete its session or set its legal hold (SESS-19, SESS-22)', async () => {
    for (const id of [own, other]) {
      expect(await call('DELETE', `/api/v1/runtime-sessions/${id}`)).toBe(403);
      expect(await call('PATCH', `/api/v1/runtime-sessions/${id}`, { legal_hold: true })).toBe(403);
    }
    expect(await call('GET', `/api/v1/runtime-sessions/${own}`)).toBe(200);
  });

  it('cannot create sessions, keys, flows, executions, users or saved searches (ACC-26, ACC-31, SRCH-75)', async () => {
    expect(await call('POST', '/api/v1/runtime-sessions', { session_source_type: 'x', session_source_id: 'y' })).toBe(
      403,
    );
    expect(await call('POST', '/api/v1/auth/api-keys', { name: 'longer than the run' })).toBe(403);
    expect(await call('POST', `/api/v1/flows/${newId()}/trigger`, {})).toBe(403);
    expect(await call('POST', '/api/v1/runtime-sessions/search/saved', { name: 'x', query: 'y' })).toBe(403);
    expect(await call('GET', '/api/v1/users')).toBe(403);
    expect(await call('GET', '/api/v1/auth/api-keys')).toBe(403);
  });

  it('can read the saved searches shared with the account, but no private ones (SRCH-73, SRCH-75)', async () => {
    const path = '/api/v1/runtime-sessions/search/saved';
    const save = async (visibility: string): Promise<string> =>
      (await gateway.call('POST', path, { token: owner, body: { name: visibility, query: 'kiwi', visibility } })).body
        .id;
    const [hidden, shared] = [await save('private'), await save('account')];
    for (const query of ['', '?name=private', '?visibility=private']) {
      const { body } = await gateway.call('GET', `${path}${query}`, { token });
      const seen = (body.items as { id: string }[]).map(({ id }) => id);
      expect([query, seen]).toEqual([query, query === '' ? [shared] : []]);
    }
    for (const [id, status] of [
      [hidden, 404],
      [newId(), 404],
      [shared, 200],
    ] as const) {
      expect(await call('GET', `${path}/${id}`)).toBe(status);
      expect(await call('POST', `${path}/${id}/run`)).toBe(status);
      expect(await call('PATCH', `${path}/${id}`, { name: 'mine' })).toBe(403);
      expect(await call('DELETE', `${path}/${id}`)).toBe(403);
    }
    const { body } = await gateway.call('GET', `${path}/${hidden}`, { token: owner });
    expect(body).toMatchObject({ name: 'private', run_count: 0 });
  });

  it.each([
    ['its execution has ended', `status = 'SUCCEEDED', finished_at = now(), lease_token = null, lease_until = null`],
    ['its worker’s lease has expired', `lease_until = now() - interval '1 second'`],
  ])('is refused once %s, even if it was never revoked (ACC-30)', async (_when, change) => {
    const run = await startRun(own);
    const bearer = await issue(run);
    expect(await call('GET', '/api/v1/runtime-sessions', undefined, bearer)).toBe(200);
    await database.pool.query(`update flows.execution set ${change} where id = $1`, [run.executionId]);
    expect(await call('GET', '/api/v1/runtime-sessions', undefined, bearer)).toBe(401);
  });

  it('is issued only for an active lease, only one at a time, and never for longer than the maximum duration of a run (ACC-30)', async () => {
    const run = await startRun(own);
    expect(await issue({ ...run, leaseToken: newId() })).toBeUndefined();
    expect(await issue({ ...run, executionId: newId() })).toBeUndefined();
    const [first, second] = [await issue(run), await issue(run)];
    expect(await call('GET', '/api/v1/runtime-sessions', undefined, first)).toBe(401);
    expect(await call('GET', '/api/v1/runtime-sessions', undefined, second)).toBe(200);
    const issued = await database.pool.query<{ hours: number }>(
      `select extract(epoch from expires_at - now())::float / 3600 as hours from gateway.execution_token where execution_id = $1`,
      [run.executionId],
    );
    expect(issued.rows.map(({ hours }) => Math.ceil(hours))).toEqual([25]);
  });

  it.each([
    [
      'created directly',
      `insert into gateway.execution_token (id, account_id, execution_id, runtime_session_id, flow_id, flow_name, token_hash, expires_at)
       values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', '', now())`,
    ],
    ['extended', `update gateway.execution_token set expires_at = now() + interval '10 years'`],
    ['moved to another account', `update gateway.execution_token set account_id = gen_random_uuid()`],
  ])('cannot be %s through the worker’s database connection', async (_what, statement) => {
    await expect(worker.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
