import { createDatabase, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import { deleteExpiredChunks } from '@steward/search';
import { captureOutput } from '@steward/testing';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

const BASE = '/api/v1/runtime-sessions';
/** Joined at run time, so that secret scanners do not report the test as a leak. */
const TOKEN = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
const PASSWORD = 'lively-Otter-4711!';

let gateway: TestGateway;
let database: Database;
let owner: TestAccount;
const output = captureOutput();

beforeAll(async () => {
  gateway = await startTestGateway({ LOG_LEVEL: 'debug' });
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  database = createDatabase({ url: gateway.database.url, applicationName: 'test', poolSize: 1, logger });
  owner = await gateway.registerAccount();
});
afterAll(async () => {
  await database.close();
  await gateway.close();
});

const call = (path: string, body: unknown, account = owner) =>
  gateway.call('POST', `${BASE}${path}`, { token: account.accessToken, body });
const ask = async (value: string, more: object = {}, account = owner) =>
  (await call('/credential-sightings', { value, ...more }, account)).body;

async function openSession(name: string, account = owner): Promise<string> {
  const body = { session_source_type: 'test', session_source_id: name, title: `Session ${name}` };
  return (await call('', body, account)).body.id;
}

describe('the places where a credential was seen', () => {
  let first: string;
  let second: string;
  beforeAll(async () => {
    first = await openSession('first');
    second = await openSession('second');
    await call(`/${first}/tool-calls`, {
      tool_name: 'sh',
      arguments: { command: 'env' },
      result: JSON.stringify({ stdout: `PATH=/bin\nGITHUB_TOKEN=${TOKEN}\n` }),
      occurred_at: '2026-10-01T10:00:00Z',
    });
    await call(`/${second}/transcript`, {
      messages: [
        { role: 'user', content: `use ${TOKEN} twice: ${TOKEN}`, occurred_at: '2026-10-02T10:00:00Z' },
        {
          role: 'user',
          content: `postgres://app:${encodeURIComponent(PASSWORD)}@db/x`,
          occurred_at: '2026-10-03T10:00:00Z',
        },
      ],
    });
  });

  it('are all sources that contained it, once each, newest first, with session and time (MASK-7)', async () => {
    const answer = await ask(TOKEN);
    expect(answer.items).toMatchObject([
      {
        runtime_session_id: second,
        source_kind: 'transcript_message',
        occurred_at: '2026-10-02T10:00:00.000Z',
        rule: 'github',
      },
      { runtime_session_id: first, source_kind: 'tool_call', session_title: 'Session first' },
    ]);
    expect(answer.next_cursor).toBeNull();
  });

  it.each([
    ['the value with white space and quotes around it', ` "${TOKEN}"\n`],
    ['the value in a variable', `GITHUB_TOKEN=${TOKEN}`],
    ['an exported variable', `export GH_TOKEN='${TOKEN}'`],
    ['the value in a header', `Authorization: Bearer ${TOKEN}`],
    ['the value after its scheme', `Bearer ${TOKEN}`],
    ['the value in JSON', `{"token": "${TOKEN}"}`],
  ])('are found for %s', async (_how, value) => {
    expect((await ask(value)).items).toHaveLength(2);
  });

  it('include an address that contained a password, in plain or URL-encoded form', async () => {
    for (const value of [
      PASSWORD,
      encodeURIComponent(PASSWORD),
      `postgres://u:${encodeURIComponent(PASSWORD)}@other/y`,
    ]) {
      expect((await ask(value)).items).toMatchObject([{ runtime_session_id: second, rule: 'url-credentials' }]);
    }
  });

  it('are paged, and an invalid cursor is refused', async () => {
    const page = await ask(TOKEN, { limit: 1 });
    const next = await ask(TOKEN, { limit: 1, cursor: page.next_cursor });
    expect([page, next].map(({ items }) => items[0].runtime_session_id)).toEqual([second, first]);
    expect(next.next_cursor).toBeNull();
    for (const cursor of ['x', Buffer.from('["2026-10-01","a:b"]').toString('base64url')]) {
      expect(await call('/credential-sightings', { value: TOKEN, cursor })).toMatchObject({ status: 422 });
    }
  });

  it('are empty for an unknown value, and never include those of another account', async () => {
    expect(await ask(TOKEN.replace('aB3', 'zZ9'))).toEqual({ items: [], next_cursor: null });
    const other = await gateway.registerAccount();
    expect((await ask(TOKEN, {}, other)).items).toEqual([]);
    const session = await openSession('other', other);
    await call(`/${session}/tool-calls`, { tool_name: 'sh', arguments: TOKEN }, other);
    expect((await ask(TOKEN, {}, other)).items).toMatchObject([{ runtime_session_id: session }]);
    expect((await ask(TOKEN)).items).toHaveLength(2);
  });

  it('contain the changed title of a session', async () => {
    const secret = TOKEN.replace('aB3', 'cC4');
    const session = await openSession('titled');
    const rename = (title: string) =>
      gateway.call('PATCH', `${BASE}/${session}`, { token: owner.accessToken, body: { title } });
    await rename(`Leaked ${secret}`);
    expect((await ask(secret)).items).toMatchObject([
      { runtime_session_id: session, source_kind: 'session_summary', session_title: 'Leaked [redacted]' },
    ]);
    await rename('Nothing');
    expect((await ask(secret)).items).toEqual([]);
  });

  it('require the search permissions, and the request creates an audit row that does not contain the value (MASK-7, MASK-8)', async () => {
    const key = await gateway.call('POST', '/api/v1/auth/api-keys', {
      token: owner.accessToken,
      body: { name: 'flows', scopes: ['view_flows'] },
    });
    const refused = await gateway.call('POST', `${BASE}/credential-sightings`, {
      token: key.body.key,
      body: { value: TOKEN },
    });
    expect(refused).toMatchObject({ status: 403, body: { detail: { permission: 'view_runtime_sessions' } } });
    for (const body of [{ value: '' }, { value: TOKEN, extra: TOKEN }, { value: [TOKEN] }, `{"value": "${TOKEN}`]) {
      const answer = await gateway.call('POST', `${BASE}/credential-sightings`, {
        token: owner.accessToken,
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect([400, 422]).toContain(answer.status);
      expect(JSON.stringify(answer.body)).not.toContain(TOKEN);
    }
    const { rows } = await database.pool.query(
      "select status, details::text from gateway.audit_log where resource_type = 'credential_sighting'",
    );
    expect(rows.map(({ status }) => status)).toEqual(expect.arrayContaining(['success', 'denied', 'failure']));
    expect(JSON.stringify(rows)).not.toContain(TOKEN);
    expect(output()).toContain('http.request_served');
    expect(output()).not.toContain(TOKEN);
    expect(output()).not.toContain(PASSWORD);
  });

  it('are deleted with the chunks that are removed by retention', async () => {
    const signal = new AbortController().signal;
    await deleteExpiredChunks(database.db, { before: new Date('2026-10-02T00:00:00Z'), batchSize: 100, signal });
    expect((await ask(TOKEN)).items).toMatchObject([{ runtime_session_id: second }]);
  });
});
