import { connectTestDatabase } from '@steward/database/testing';
import { eventually } from '@steward/testing';
import { insertRun, issueRunToken } from '../../../testing/insert-run.ts';
import { useModelGateway } from '../../../testing/model-gateway-tests.ts';

const gateway = useModelGateway();
const CHAT = '/openai/v1/chat/completions';
const say = (content: string, more: object = {}) =>
  JSON.stringify({ model: 'smart', messages: [{ role: 'user', content }], ...more });
const call = (method: string, path: string, body?: unknown) => gateway.people.call(method, path, gateway.token(), body);

/** Sends a call, and reads the whole response. */
async function ask(body: string, headers: Record<string, string> = {}, path = CHAT): Promise<void> {
  const response = await gateway.post(path, body, headers);
  expect(response.status).toBe(200);
  await response.text();
}

/** Waits until a search for the word finds the session, and returns it. */
async function findByWord(query: string): Promise<string> {
  let found: string | undefined;
  await eventually(async () => {
    const { body } = await call('POST', '/runtime-sessions/search', { query });
    found = (body.results as { runtime_session_id: string }[])[0]?.runtime_session_id;
    return found !== undefined;
  });
  return found ?? '';
}

async function readTimeline(sessionId: string) {
  const { body } = await call('GET', `/runtime-sessions/${sessionId}/timeline`);
  return body.items as Record<string, unknown>[];
}

async function addKey(fields: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/auth/api-keys', { name: `key ${Math.random()}`, ...fields });
  expect(status).toBe(201);
  return (body as { key: string }).key;
}

describe('the content of a call (GW-14)', () => {
  it.each([
    ['as a single response', false],
    ['as a stream', true],
  ])('%s is found by its prompt and its response, and can be read in full', async (_how, stream) => {
    const word = `quark${stream ? 's' : ''}`;
    gateway.provider().behave({ text: `The ${word}answer is strange.` });
    await ask(say(`What is a ${word}question?`, { stream }));
    const id = await findByWord(`${word}answer`);
    expect(await findByWord(`${word}question`)).toBe(id);
    const item = (await readTimeline(id)).at(-1);
    expect(item).toMatchObject({
      ...{ kind: 'gateway_interaction', model_alias: 'smart', provider_name: 'openai', status: 'ok' },
      content: {
        request: { model: 'smart', messages: [{ content: `What is a ${word}question?` }] },
        response: { choices: [{ message: { role: 'assistant', content: `The ${word}answer is strange.` } }] },
      },
    });
    // The usage row is recorded at the same time as the content.
    await eventually(async () => {
      const [row] = (await call('GET', `/usage?runtime_session_id=${id}&limit=1`)).body.items as { id: string }[];
      expect(item!['external_id']).toBe(row!.id);
      return true;
    });
  });

  it('is masked in search and for readers', async () => {
    const secret = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
    await ask(say(`My maskedword token is ${secret}`));
    const id = await findByWord('maskedword');
    const { body } = await call('POST', '/runtime-sessions/search', { query: 'maskedword' });
    expect(JSON.stringify(body)).not.toContain(secret);
    const chunks = await gateway.people.query('select content from search.chunk where runtime_session_id = $1', [id]);
    expect(JSON.stringify(chunks)).toContain('maskedword');
    expect(JSON.stringify(chunks)).not.toContain(secret);
  });

  it('is stored up to 2 MiB, and marked as truncated', async () => {
    await ask(say(`cutword ${'x'.repeat(3 * 1024 * 1024)}`), { 'x-service-session-id': 'large' });
    const id = await findByWord('cutword');
    expect(await readTimeline(id)).toMatchObject([{ content: { request: { cut: true } } }]);
  });

  it('is stored for failed calls, but not for token count calls', async () => {
    gateway.provider().behave({ status: 400 });
    await gateway.post(CHAT, say('failedword'), { 'x-service-session-id': 'failed' });
    const id = await findByWord('failedword');
    expect(await readTimeline(id)).toMatchObject([
      { status: 'error', content: { response: { error: { message: 'The provider responds with 400.' } } } },
    ]);
  });
});

describe('the session of a call (GW-13)', () => {
  it('is the current session of its key until that session ends, and then a new one', async () => {
    const key = await addKey();
    const headers = { authorization: `Bearer ${key}` };
    await ask(say('firstword'), headers);
    const first = await findByWord('firstword');
    await Promise.all([ask(say('secondword'), headers), ask(say('thirdword'), headers)]);
    expect([await findByWord('secondword'), await findByWord('thirdword')]).toEqual([first, first]);
    await ask(say('otherkeyword'), { authorization: `Bearer ${await addKey()}` });
    expect(await findByWord('otherkeyword')).not.toBe(first);
    expect((await call('POST', `/runtime-sessions/${first}/end`)).status).toBe(200);
    await ask(say('fourthword'), headers);
    const second = await findByWord('fourthword');
    expect(second).not.toBe(first);
    const { body } = await call('GET', `/runtime-sessions/${second}`);
    expect(body).toMatchObject({ session_source_type: 'gateway', ended_at: null });
  });

  it('is that of the calling agent’s execution, and costs are recorded for its flow (EXEC-23)', async () => {
    const opened = await call('POST', '/runtime-sessions', { session_source_type: 'flow', session_source_id: 'run' });
    const sessionId = (opened.body as { id: string }).id;
    const { query } = gateway.people;
    const run = await insertRun(query, { accountId: gateway.accountId(), sessionId });
    const { executionId, flowId } = run;
    const token = await issueRunToken(gateway.people.gateway(), run);
    await ask(say('runword'), { authorization: `Bearer ${token}`, 'x-service-session-id': 'mine' });
    expect(await findByWord('runword')).toBe(sessionId);
    const readRows = async () => (await call('GET', `/usage?execution_id=${executionId}`)).body.items as unknown[];
    await eventually(async () => (await readRows()).length > 0);
    expect(await readRows()).toMatchObject([
      { flow_id: flowId, runtime_session_id: sessionId, api_key_id: null, user_id: null, managed_agent_id: null },
    ]);
  });

  it('is the named session, or that of its agent if the key is bound to an agent of its kind', async () => {
    await ask(say('namedword'), { 'x-service-session-id': 'mine' });
    const named = await findByWord('namedword');
    expect((await call('GET', `/runtime-sessions/${named}`)).body).toMatchObject({
      session_source_type: 'gateway',
      session_source_id: 'mine',
    });
    const claude = { 'x-claude-code-session-id': 'claudes' };
    await ask(say('strangerword'), claude);
    const stranger = await call('GET', `/runtime-sessions/${await findByWord('strangerword')}`);
    expect(stranger.body.session_source_id).not.toBe('claudes');
    const key = await addKey({ runtime_principal: { type: 'claude_code', id: 'agent', name: 'An agent' } });
    await ask(say('boundword'), { ...claude, authorization: `Bearer ${key}` });
    expect((await call('GET', `/runtime-sessions/${await findByWord('boundword')}`)).body).toMatchObject({
      ...{ session_source_type: 'claude_code', session_source_id: 'claudes' },
      ...{ runtime_principal_id: 'agent', principal_verified: true },
    });
  });

  it('is the session named by its agent, if the agent has that kind in the registry', async () => {
    const claude = { 'x-claude-code-session-id': 'of the registry' };
    const bind = async (kind: string) => {
      const agent = await call('POST', '/agents', { agent_kind: kind, display_name: kind });
      return addKey({ runtime_principal: { type: 'managed_agent', id: agent.body.id } });
    };
    await ask(say('registryword'), { ...claude, authorization: `Bearer ${await bind('claude_code')}` });
    expect((await call('GET', `/runtime-sessions/${await findByWord('registryword')}`)).body).toMatchObject({
      ...{ session_source_type: 'claude_code', session_source_id: 'of the registry' },
      ...{ runtime_principal_type: 'managed_agent', principal_verified: true },
    });
    await ask(say('otherkindword'), { ...claude, authorization: `Bearer ${await bind('codex')}` });
    const other = await call('GET', `/runtime-sessions/${await findByWord('otherkindword')}`);
    expect(other.body.session_source_type).toBe('gateway');
  });

  it('cannot be opened by another caller, through any API (SESS-26)', async () => {
    const { query } = gateway.people;
    const { accessToken, accountId, userId } = await gateway.addAccount();
    await gateway.addModel({ alias: 'smart', provider: 'openai' }, accessToken);
    const other = await gateway.people.add(accessToken, 'editor');
    const name = `user:${userId}:ffffffff-ffff-7fff-bfff-ffffffffffff`;
    const source = { session_source_type: 'gateway', session_source_id: name };
    const opened = await gateway.people.call('POST', '/runtime-sessions', other.token, source);
    expect([opened.status, opened.body.detail]).toMatchObject([
      422,
      { code: 'invalid_request', field: 'session_source_id' },
    ]);
    const line = { type: 'message', ...source, role: 'user', content: 'x', occurred_at: new Date().toISOString() };
    const file = `${JSON.stringify(line)}\n`;
    for (const created of [1, 0]) {
      const imported = await fetch(`${gateway.people.gateway().url}/api/v1/runtime-sessions/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${other.token}`, 'content-type': 'application/x-ndjson' },
        body: file,
      });
      expect(await imported.json()).toMatchObject({ sessions: 1, created });
    }
    await ask(say('ownword'), { authorization: `Bearer ${accessToken}` });
    await gateway.readUsage(1, accessToken);
    const rows = await query(
      `select session_source_id as name from gateway.runtime_session where account_id = $1 order by 1`,
      [accountId],
    );
    expect(rows).toEqual([
      { name: `imported:${name}` },
      { name: expect.stringMatching(new RegExp(`^user:${userId}:`)) as string },
    ]);
  });

  it('has an id of at most 255 characters: a longer one is refused before the call', async () => {
    const response = await gateway.post(CHAT, say('x'), { 'x-service-session-id': 'x'.repeat(256) });
    expect([response.status, await response.json()]).toMatchObject([422, { error: { code: 'invalid_request' } }]);
    expect(gateway.provider().requests).toEqual([]);
  });
});

describe('a session that is locked by another transaction', () => {
  it('does not delay calls of other sessions, and stores its own calls later', async () => {
    const [locked, free] = [{ 'x-service-session-id': 'locked' }, { 'x-service-session-id': 'free' }];
    await ask(say('beforeword'), locked);
    const id = await findByWord('beforeword');
    const database = connectTestDatabase(gateway.people.gateway().database.url, { poolSize: 1 });
    const holder = await database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from gateway.runtime_session where id = $1 for no key update', [id]);
      for (const word of ['blockedword', 'stillblockedword']) await ask(say(word), locked);
      for (const word of ['freeword', 'stillfreeword']) {
        await ask(say(word), free);
        expect(await findByWord(word)).not.toBe(id);
      }
      expect((await call('POST', '/runtime-sessions/search', { query: 'blockedword' })).body.results).toEqual([]);
    } finally {
      await holder.query('rollback');
      holder.release();
      await database.close();
    }
    expect([await findByWord('blockedword'), await findByWord('stillblockedword')]).toEqual([id, id]);
  });
});
