import { createDatabase } from '@steward/database';
import { createLogger, newId } from '@steward/runtime';
import { issueExecutionToken } from '@steward/slice-gateway';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

describe('the token of a running agent', () => {
  let gateway: TestGateway;
  let owner: string;
  let token: string;
  let own: string;
  let other: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    const account = await gateway.registerAccount();
    owner = account.accessToken;
    const open = async (id: string): Promise<string> =>
      (
        await gateway.call('POST', '/api/v1/runtime-sessions', {
          token: owner,
          body: { session_source_type: 'test', session_source_id: id },
        })
      ).body.id;
    [own, other] = [await open('own'), await open('other')];
    const logger = createLogger({ service: 'test', level: 'error', pretty: false });
    const database = createDatabase({ url: gateway.database.url, applicationName: 'test', poolSize: 1, logger });
    token = await issueExecutionToken(database.db, {
      accountId: account.accountId,
      executionId: newId(),
      sessionId: own,
      flow: { id: newId(), name: 'a flow' },
      expiresAt: new Date(Date.now() + 60_000),
    });
    await database.close();
  });
  afterAll(() => gateway.close());

  const call = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await gateway.call(method, path, { token, ...(body === undefined ? {} : { body }) })).status;

  it('reads its account and writes to its own session', async () => {
    expect(await call('GET', '/api/v1/runtime-sessions')).toBe(200);
    expect(await call('GET', `/api/v1/runtime-sessions/${other}`)).toBe(200);
    expect(await call('POST', '/api/v1/runtime-sessions/search', { query: 'x' })).toBe(200);
    expect(await call('POST', `/api/v1/runtime-sessions/${own}/tool-calls`, { tool_name: 'grep', arguments: {} })).toBe(
      201,
    );
    expect(await call('PATCH', `/api/v1/runtime-sessions/${own}`, { summary: 'done' })).toBe(200);
  });

  it('to it, other sessions cannot be written: as if they were not there', async () => {
    for (const [method, path, body] of [
      ['POST', 'tool-calls', { tool_name: 'grep', arguments: {} }],
      ['POST', 'transcript', { messages: [{ role: 'user', content: 'x' }] }],
      ['POST', 'end', {}],
      ['PATCH', '', { summary: 'x' }],
    ] as const) {
      expect(await call(method, `/api/v1/runtime-sessions/${other}/${path}`.replace(/\/$/, ''), body)).toBe(404);
    }
  });

  it('makes no sessions, keys, flows, executions or users', async () => {
    expect(await call('POST', '/api/v1/runtime-sessions', { session_source_type: 'x', session_source_id: 'y' })).toBe(
      403,
    );
    expect(await call('POST', '/api/v1/auth/api-keys', { name: 'longer than the run' })).toBe(403);
    expect(await call('POST', `/api/v1/flows/${newId()}/trigger`, {})).toBe(403);
    expect(await call('GET', '/api/v1/users')).toBe(403);
    const keys = await gateway.call('GET', '/api/v1/auth/api-keys', { token });
    expect([keys.status, keys.body.items]).toEqual([200, []]);
  });
});
