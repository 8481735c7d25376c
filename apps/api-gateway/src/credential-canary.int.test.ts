import { randomBytes } from 'node:crypto';
import type { Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { eventually } from '@steward/testing';
import { listenToBroker, type BrokerListener } from './testing/listen-to-broker.ts';
import { startTestGateway, type TestAccount, type TestGateway } from './testing/start-gateway.ts';

const SESSIONS = '/api/v1/runtime-sessions';

/**
 * Each secret, keyed by the input that it was sent in. The secrets look like tokens, so that masking can tell them from
 * prose.
 */
const secrets = new Map<string, string>();
function secret(field: string): string {
  const value = `ghp${'_'}${randomBytes(27).toString('base64url').replaceAll(/[_-]/g, 'x')}`;
  secrets.set(field, value);
  return value;
}

let gateway: TestGateway;
let database: Database;
let owner: TestAccount;
let logged = '';
let broker: BrokerListener;
/** Bodies of error responses. */
let refusals = '';
const write = process.stdout.write.bind(process.stdout);

beforeAll(async () => {
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    logged += chunk.toString();
    return true;
  };
  gateway = await startTestGateway({ LOG_LEVEL: 'debug', HEALTH_PORT: '0' });
  broker = await listenToBroker(gateway.broker.url);
  database = connectTestDatabase(gateway.database.url);
  owner = await gateway.registerAccount();
  await fillFields();
});
afterAll(async () => {
  broker.close();
  await database.close();
  await gateway.close();
  process.stdout.write = write;
});

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await gateway.call(method, path, {
    token: owner.accessToken,
    ...(body === undefined ? {} : { body }),
    headers,
  });
  if (response.status >= 400) refusals += `${method} ${response.status} ${JSON.stringify(response.body)}\n`;
  return response;
}

const post = (path: string, body: unknown, headers?: Record<string, string>) => send('POST', path, body, headers);
const JSON_HEADERS = { 'content-type': 'application/json' };

async function fillFields(): Promise<void> {
  await fillCredentialFields();
  await fillRequestFields();
  await fillContentFields();
  await fillModelFields();
  await fillFlowFields();
  await fillAddressFields();
  await fillQuestionFields();
}

async function fillCredentialFields(): Promise<void> {
  await post('/api/v1/auth/token/json', { username: owner.username, password: secret('a wrong password') });
  await post('/api/v1/auth/token', `username=nobody&password=${secret('a wrong password in a form')}`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  await post('/api/v1/auth/register', {
    username: owner.username,
    email: 'other@example.test',
    password: secret('the password of a refused registration'),
  });
  await post('/api/v1/auth/refresh', { refresh_token: secret('a refresh token') });
  await send('PUT', '/api/v1/users/me/password', {
    current_password: secret('a wrong current password'),
    new_password: secret('a new password'),
  });
  await gateway.call('GET', '/api/v1/users/me', { token: secret('a bearer token') });
}

async function fillRequestFields(): Promise<void> {
  await send('GET', '/api/v1/users/me', undefined, {
    cookie: `session=${secret('a cookie')}`,
    'x-api-key': secret('a header'),
    'user-agent': `agent ${secret('a user agent')}`,
  });
  await send('GET', `/api/v1/flows?token=${secret('a query')}`);
  await send('GET', `/api/v1/nothing/${secret('a path')}`);
  await send('GET', `${SESSIONS}/${secret('an id in a path')}`);
  await post(SESSIONS, `{"title": "${secret('malformed JSON')}`, JSON_HEADERS);
  await post(SESSIONS, secret('a body of another type'), { 'content-type': 'text/plain' });
  await post(SESSIONS, { session_source_type: 7, title: secret('a body that is not valid') });
  await post('/api/v1/event-webhooks/endpoints', { url: `https://u:${secret('a refused webhook URL')}@example.com/` });
}

async function fillContentFields(): Promise<void> {
  const { id } = (
    await post(SESSIONS, {
      session_source_type: 'test',
      session_source_id: 'canary',
      title: `marker ${secret('a title')}`,
      summary: `marker ${secret('a summary')}`,
    })
  ).body;
  await send('PATCH', `${SESSIONS}/${id}`, { title: `marker ${secret('a changed title')}` });
  const untitled = (await post(SESSIONS, { session_source_type: 'test', session_source_id: 'untitled' })).body;
  const first = [{ role: 'user', content: `marker ${secret('a first message')}` }];
  await post(`${SESSIONS}/${untitled.id}/transcript`, { messages: first });
  const output = (field: string) => ({ stdout: `marker\n${secret(field)}\nend` });
  const messages = [
    `marker ${secret('a message')}`,
    JSON.stringify(output('JSON in a message')),
    JSON.stringify(JSON.stringify(output('JSON encoded twice'))),
    JSON.stringify({ ...output('JSON cut off'), more: 'x'.repeat(50) }).slice(0, -20),
    `It said ${JSON.stringify(output('JSON within a sentence'))}.`,
    [{ type: 'tool_result', content: JSON.stringify(output('a block of a message')) }],
  ].map((content) => ({ role: 'user', content }));
  await post(`${SESSIONS}/${id}/transcript`, { messages });
  await post(`${SESSIONS}/${id}/tool-calls`, {
    tool_name: 'sh',
    arguments: JSON.stringify({ command: `echo marker ${secret('arguments of a tool')}` }),
    result: JSON.stringify(output('a result of a tool')),
  });
  await post(`${SESSIONS}/${id}/interactions`, {
    model_alias: 'm',
    provider_name: 'p',
    request: { messages: [{ role: 'user', content: `marker ${secret('a prompt')}` }] },
    response: { choices: [{ message: { content: JSON.stringify(output('an answer of a model')) } }] },
  });
  await post('/api/v1/operator-notes', { runtime_session_id: id, text: `marker ${secret('a note')}` });
}

/** Secrets that are encrypted at rest, named by their inputs: these must not occur in a database dump either. */
const SEALED: string[] = [];
function sealed(field: string): string {
  SEALED.push(field);
  return secret(field);
}

async function fillModelFields(): Promise<void> {
  const model = { alias: 'canary', provider: 'openai', model_identifier: 'm' };
  const made = await post('/api/v1/ai-models', { ...model, api_key: sealed('the key of a model') });
  expect(made.status).toBe(201);
  await send('PATCH', `/api/v1/ai-models/${made.body.id}`, { api_key: sealed('another key of a model') });
  await post('/api/v1/ai-models', { ...model, api_key: sealed('the key of a model that is refused') });
}

async function fillFlowFields(): Promise<void> {
  await send('PUT', '/api/v1/flow-secrets/CANARY', { value: sealed('a named secret') });
  const made = await post('/api/v1/flows', {
    name: 'canary',
    prompt_template: 'x',
    trigger: 'webhook',
    agent_type: 'command',
    agent_config: { command: 'true', env: { TOKEN: sealed('the environment of an agent') } },
    git_clone_config: { repository_url: `https://bot:${sealed('a repository URL')}@git.example.com/a.git` },
  });
  expect(made.status).toBe(201);
  await post(
    `/api/v1/flows/${made.body.id}/trigger`,
    { note: secret('a trigger payload') },
    {
      'idempotency-key': secret('an idempotency key'),
    },
  );
  await post(`/webhooks/flows/${made.body.id}/${secret('a wrong webhook secret')}`, { a: secret('a refused payload') });
  await post('/api/v1/flows', { name: 'bad', agent_config: { env: secret('an invalid flow') } });
}

async function fillAddressFields(): Promise<void> {
  const address = (field: string): string => `https://example.com/hook/${sealed(field)}`;
  const endpoint = await post('/api/v1/event-webhooks/endpoints', { url: address('a webhook URL') });
  await send('PATCH', `/api/v1/event-webhooks/endpoints/${endpoint.body.id}`, {
    url: address('a changed webhook URL'),
  });
  const server = await post('/api/v1/mcp-servers', { name: 'canary', url: address('the URL of a tool server') });
  await send('PATCH', `/api/v1/mcp-servers/${server.body.id}`, { url: address('a changed URL of a tool server') });
  const channels = (field: string) => [{ kind: 'slack', url: address(field) }];
  const workflow = await post('/api/v1/approval-workflows', {
    name: 'canary',
    channel_configs: channels('the URL of a chat'),
    approval_config: { webhook_url: address('the URL of a receiver') },
  });
  const path = `/api/v1/approval-workflows/${workflow.body.id}`;
  await send('PATCH', path, { channel_configs: channels('a changed URL of a chat') });
  expect([endpoint.status, server.status, workflow.status]).toEqual([201, 201, 201]);
}

async function fillQuestionFields(): Promise<void> {
  await post(`${SESSIONS}/search`, { query: secret('a search') });
  await post(`${SESSIONS}/search`, { query: 'x', mode: secret('a mode of a search') });
  await post(`${SESSIONS}/credential-sightings`, { value: secret('a question for a credential') });
  await post(`${SESSIONS}/credential-sightings`, { value: secret('a refused question'), limit: 0 });
  await send('GET', `/api/v1/audit-log?action=${secret('a filter of the audit log')}`);
}

/**
 * Returns the inputs whose secret occurs in a string, either unchanged or in the format in which the database prints
 * bytes.
 */
function findIn(text: string, fields: Iterable<string> = secrets.keys()): string[] {
  return [...fields].filter((field) => {
    const part = secrets.get(field)?.slice(4, 30) ?? '';
    return text.includes(part) || text.includes(Buffer.from(part).toString('hex'));
  });
}

describe('the secrets sent to every API', () => {
  it('include at least forty secrets', () => {
    expect(secrets.size).toBeGreaterThanOrEqual(40);
  });

  it('occur in no log line, even at the most detailed level (API-15, MASK-1)', () => {
    expect(logged).toContain('http.request_served');
    expect(findIn(logged)).toEqual([]);
  });

  it('occur in no metric (API-15)', async () => {
    const metrics = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
    expect(metrics).toContain('# HELP');
    expect(findIn(metrics)).toEqual([]);
  });

  it('occur in no broker message', async () => {
    await eventually(() => /^MSG steward\./m.test(broker.published()));
    expect(findIn(broker.published())).toEqual([]);
  });

  it('occur in no error body (API-15)', () => {
    expect(refusals.split('\n').length).toBeGreaterThan(12);
    expect(findIn(refusals)).toEqual([]);
  });

  it('occur in no search result, title, list of sessions or audit row (ACC-35, MASK-1)', async () => {
    const found = await post(`${SESSIONS}/search`, { query: 'marker', max_snippets_per_session: 10 });
    expect(found.body.results.length).toBeGreaterThanOrEqual(2);
    const sessions = (await send('GET', SESSIONS)).body.items.map(({ title }: { title: string }) => title);
    const audit = await send('GET', '/api/v1/audit-log?limit=200');
    expect(audit.body.items.length).toBeGreaterThan(3);
    expect(findIn(JSON.stringify([found.body.results, sessions, audit.body]))).toEqual([]);
  });

  it('occur in no table of the search corpus; elsewhere in the database they occur only in stored content and payloads', async () => {
    const dump = await dumpTables();
    const corpus = [...dump].filter(([table]) => table.startsWith('search.') || table === 'gateway.audit_log');
    expect(corpus.length).toBeGreaterThan(2);
    expect(findIn(JSON.stringify(corpus))).toEqual([]);
    expect(SEALED).toHaveLength(13);
    expect(findIn(JSON.stringify([...dump]), SEALED)).toEqual([]);
    const everywhere = findIn(JSON.stringify([...dump]));
    expect(everywhere).toContain('a message');
    // Refused requests, questions and headers are not stored.
    const kept = /title|summary|message|JSON|tool|prompt|answer|note|trigger payload|idempotency key/;
    expect(everywhere.filter((field) => !kept.test(field) || /refused|malformed/.test(field))).toEqual([]);
  });
});

async function dumpTables(): Promise<Map<string, string>> {
  const tables = await database.pool.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables.rows) {
    const rows = await database.pool.query(`select t::text as text from ${name} t`);
    dump.set(name, JSON.stringify(rows.rows));
  }
  return dump;
}
