import { randomUUID } from 'node:crypto';
import { registerAgent } from '../../../testing/register-agent.ts';
import { startTestGateway } from '../../../testing/start-gateway.ts';
import { INTERACTION, SESSIONS_PATH, useSessions } from '../../../testing/session-tests.ts';

const { account, call, gateway, open, stranger } = useSessions();

it('a session has a link if PUBLIC_URL is set (SESS-27)', async () => {
  const linked = await startTestGateway({ PUBLIC_URL: 'https://steward.example.test/' });
  try {
    const { accessToken: token } = await linked.registerAccount();
    const body = { session_source_type: 'ci', session_source_id: 'run-7' };
    const opened = await linked.call('POST', SESSIONS_PATH, { token, body });
    const { id } = opened.body as { id: string };
    const url = `https://steward.example.test/runtime-sessions/${id}`;
    expect(opened.body).toMatchObject({ url });
    expect((await linked.call('GET', `${SESSIONS_PATH}/${id}`, { token })).body).toMatchObject({ url });
    expect((await linked.call('GET', SESSIONS_PATH, { token })).body).toMatchObject({ items: [{ id, url }] });
  } finally {
    await linked.close();
  }
});

describe('opening a session', () => {
  it('returns 201 with the whole record, then 200 with the same id for the same source (SESS-1)', async () => {
    const body = {
      session_source_type: 'ci',
      session_source_id: randomUUID(),
      session_reference: 'PR-7',
      runtime_principal_type: 'managed_agent',
      runtime_principal_id: 'bot',
      runtime_principal_name: 'Bot',
      title: 'Title',
      summary: 'Summary',
      labels: ['repo:api', 'branch:main'],
      started_at: '2026-01-01T10:00:00+02:00',
    };
    const created = await call('POST', '', body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...body,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account_id: account().accountId,
      url: null,
      principal_verified: false,
      flow_id: null,
      started_at: '2026-01-01T08:00:00.000Z',
      last_activity_at: '2026-01-01T08:00:00.000Z',
      ended_at: null,
      end_reason: null,
      legal_hold: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const again = await call('POST', '', {
      session_source_type: body.session_source_type,
      session_source_id: body.session_source_id,
    });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...created.body, updated_at: again.body.updated_at });
  });

  it.each<[string, object, string]>([
    ['a missing source id', { session_source_type: 'ci' }, 'session_source_id'],
    ['an empty source type', { session_source_type: '', session_source_id: 'x' }, 'session_source_type'],
    ['an unknown field', { session_source_type: 'ci', session_source_id: 'x', titel: 'typo' }, 'titel'],
    ['a number instead of a string', { session_source_type: 'ci', session_source_id: 7 }, 'session_source_id'],
    [
      'an invalid time',
      { session_source_type: 'ci', session_source_id: 'x', started_at: '2026-02-30T00:00:00Z' },
      'started_at',
    ],
    [
      'a time beyond the year 9999',
      { session_source_type: 'ci', session_source_id: 'x', started_at: '9999-12-31T23:59:59-14:00' },
      'started_at',
    ],
    ['a long string', { session_source_type: 'ci', session_source_id: 'x'.repeat(513) }, 'session_source_id'],
  ])('refuses %s with 422 naming the field', async (_case, body, field) => {
    const answer = await call('POST', '', body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject({ code: 'invalid_request', field });
  });

  it('creates one session for simultaneous calls (SESS-1)', async () => {
    const body = { session_source_type: 'ci', session_source_id: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', '', body)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });

  it('stores NUL and lone surrogates as U+FFFD (API-7)', async () => {
    const raw = `{"session_source_type":"ci","session_source_id":"${randomUUID()}","title":"a\\u0000b\\ud800"}`;
    const answer = await gateway().call('POST', SESSIONS_PATH, {
      token: account().accessToken,
      body: raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.title).toBe('a\uFFFDb\uFFFD');
  });

  it('with a key bound to a managed agent acts as that agent, unless the body names another (SESS-6)', async () => {
    const id = await registerAgent(gateway(), account().accessToken);
    const key = await gateway().call('POST', '/api/v1/auth/api-keys', {
      token: account().accessToken,
      body: { name: 'agent key', runtime_principal: { type: 'managed_agent', id } },
    });
    expect(key.status).toBe(201);
    const asAgent = (fields: object) =>
      call(
        'POST',
        '',
        { session_source_type: 'ci', session_source_id: randomUUID(), ...fields },
        key.body.key as string,
      );
    const own = { type: 'managed_agent', id, name: 'Release bot' };
    const shown = {
      runtime_principal_type: own.type,
      runtime_principal_id: own.id,
      runtime_principal_name: own.name,
      principal_verified: true,
    };
    expect((await asAgent({})).body).toMatchObject(shown);
    expect((await asAgent({ runtime_principal_id: 'other' })).body).toMatchObject({
      runtime_principal_id: 'other',
      runtime_principal_type: null,
      principal_verified: false,
    });
  });

  it('distinguishes an agent identified by its key from one that was only named, and the former cannot be renamed (SESS-6)', async () => {
    const id = await registerAgent(gateway(), account().accessToken);
    const key = await gateway().call('POST', '/api/v1/auth/api-keys', {
      token: account().accessToken,
      body: { name: 'agent key', runtime_principal: { type: 'managed_agent', id } },
    });
    const source = { session_source_type: 'ci', session_source_id: randomUUID() };
    const agent = { runtime_principal_type: 'managed_agent', runtime_principal_id: id };
    const opened = await call('POST', '', source, key.body.key as string);
    expect(opened.body).toMatchObject({ ...agent, principal_verified: true });
    const renamed = await call('POST', '', { ...source, ...agent, runtime_principal_id: 'impostor' });
    expect([renamed.status, renamed.body]).toEqual([
      200,
      expect.objectContaining({ ...agent, principal_verified: true }),
    ]);
    const claimed = await open(agent);
    expect(claimed).toMatchObject({ ...agent, principal_verified: false });
    const taken = await call(
      'POST',
      '',
      { session_source_type: 'ci', session_source_id: claimed.session_source_id },
      key.body.key as string,
    );
    expect(taken.body).toMatchObject({ ...agent, principal_verified: false });
  });
});

describe('reading, changing and ending a session', () => {
  it('returns what was stored; unknown, foreign and malformed ids all return the same 404 (API-10)', async () => {
    const session = await open({ title: 'Mine' });
    expect((await call('GET', `/${session.id}`)).body).toMatchObject({ id: session.id, title: 'Mine' });
    const refusals = [
      await call('GET', `/${session.id}`, undefined, stranger().accessToken),
      await call('GET', `/${randomUUID()}`),
      await call('GET', '/not-an-id'),
      await call('GET', `/urn:uuid:${session.id}`),
    ];
    for (const refusal of refusals) {
      expect(refusal.status).toBe(404);
      expect(refusal.body.detail).toEqual(refusals[0]?.body.detail);
    }
  });

  it('changes title and summary separately, and clears them with null (SESS-2)', async () => {
    const { id } = await open({ title: 'Old', summary: 'Kept' });
    expect((await call('PATCH', `/${id}`, { title: 'New' })).body).toMatchObject({ title: 'New', summary: 'Kept' });
    expect((await call('PATCH', `/${id}`, { summary: null })).body).toMatchObject({ title: 'New', summary: null });
    expect((await call('PATCH', `/${id}`, {})).status).toBe(200);
    expect((await call('PATCH', `/${id}`, { ended_at: null })).status).toBe(422);
    expect((await call('PATCH', `/${id}`, { title: 'x' }, stranger().accessToken)).status).toBe(404);
  });

  it('ends it only once: every further call returns the same record, with {} and without a body (SESS-3)', async () => {
    const { id } = await open();
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('POST', `/${id}/end`, {})));
    answers.push(await call('POST', `/${id}/end`));
    expect(answers[0]?.body).toMatchObject({ id, end_reason: 'operator', ended_at: expect.stringMatching(/Z$/) });
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
    expect((await call('POST', `/${id}/end`, { reason: 'idle' })).status).toBe(422);
    expect((await call('POST', `/${id}/end`, {}, stranger().accessToken)).status).toBe(404);
  });

  it('records only once in the audit log who ended it (ACC-33)', async () => {
    const { id } = await open();
    await call('POST', `/${id}/end`, {});
    await call('POST', `/${id}/end`, {});
    const log = await gateway().call('GET', '/api/v1/audit-log?resource_type=runtime_session&action=end', {
      token: account().accessToken,
    });
    const rows = (log.body.items as { resource_id: string }[]).filter((row) => row.resource_id === id);
    expect(rows).toMatchObject([
      { actor: { kind: 'user', id: account().userId }, source: 'console', status: 'success' },
    ]);
  });
});

describe('listing sessions', () => {
  it('returns the newest sessions first, page by page, and filters by state, agent and time (SESS-7)', async () => {
    const owner = await gateway().registerAccount();
    const list = (query: string) => call('GET', query, undefined, owner.accessToken);
    const ids: string[] = [];
    for (let day = 1; day <= 5; day += 1) {
      const body = {
        session_source_type: 'ci',
        session_source_id: String(day),
        started_at: `2026-03-0${day}T00:00:00Z`,
        ...(day % 2 === 0 ? { runtime_principal_id: 'even' } : {}),
      };
      ids.push(((await call('POST', '', body, owner.accessToken)).body as { id: string }).id);
    }
    await call('POST', `/${ids[4]}/end`, {}, owner.accessToken);
    const idsOf = (answer: { body: { items: { id: string }[] } }) =>
      answer.body.items.map((item) => ids.indexOf(item.id) + 1);

    const first = await list('?limit=3');
    expect(idsOf(first)).toEqual([5, 4, 3]);
    const second = await list(`?limit=3&cursor=${first.body.next_cursor as string}`);
    expect(idsOf(second)).toEqual([2, 1]);
    expect(second.body.next_cursor).toBeNull();
    expect(idsOf(await list('?active=true'))).toEqual([4, 3, 2, 1]);
    expect(idsOf(await list('?active=false'))).toEqual([5]);
    expect(idsOf(await list('?runtime_principal_id=even'))).toEqual([4, 2]);
    expect(idsOf(await list('?since=2026-03-02T00:00:00Z&until=2026-03-04T00:00:00Z'))).toEqual([3, 2]);
    expect(idsOf(await list(`?flow_id=${randomUUID()}`))).toEqual([]);
    expect(idsOf(await list('?runtime_principal_id=%00'))).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=1e999',
    'active=perhaps',
    'flow_id=7',
    'since=yesterday',
    'cursor=%F0',
    'cursor=WyIyMDI2IiwieCJd',
  ])('refuses ?%s with 422 (API-11, LIM-26)', async (query) => {
    expect((await call('GET', `?${query}`)).status).toBe(422);
  });

  it('generates a title from the content of an untitled session, which can then be found by search (SESS-8)', async () => {
    const owner = await gateway().registerAccount();
    const opened = await call('POST', '', { session_source_type: 'ci', session_source_id: 'run' }, owner.accessToken);
    const { id } = opened.body as { id: string };
    const messages = [{ role: 'user', content: 'Untangle the zymurgy module' }];
    await call('POST', `/${id}/transcript`, { messages }, owner.accessToken);
    expect((await call('GET', '', undefined, owner.accessToken)).body.items).toMatchObject([
      { id, title: 'Untangle the zymurgy module' },
    ]);
    expect((await call('GET', `/${id}`, undefined, owner.accessToken)).body.title).toBe('Untangle the zymurgy module');
    const filters = { source_kind: 'session_summary' };
    const found = await call('POST', '/search', { query: 'zymurgy', filters }, owner.accessToken);
    expect(found.body.results).toMatchObject([{ runtime_session_id: id }]);
  });
});

describe('permissions', () => {
  const addUser = async (role: string) => {
    const username = `${role}-${randomUUID().slice(0, 8)}`;
    const password = 'correct horse battery staple';
    const body = { username, email: `${username}@example.test`, password, role };
    expect((await gateway().call('POST', '/api/v1/users', { token: account().accessToken, body })).status).toBe(201);
    const login = await gateway().call('POST', '/api/v1/auth/token/json', { body: { username, password } });
    return login.body.access_token as string;
  };

  it('allow a viewer to read but not write, an executor to write but not send notes, and a tracker manager neither', async () => {
    const { id } = await open();
    const [viewer, executor, trackerManager] = [
      await addUser('viewer'),
      await addUser('executor'),
      await addUser('tracker_manager'),
    ];
    expect((await call('GET', `/${id}/timeline`, undefined, viewer)).status).toBe(200);
    const refused = await call('POST', `/${id}/interactions`, INTERACTION, viewer);
    expect([refused.status, refused.body.detail.permission]).toEqual([403, 'manage_runtime_sessions']);
    const named = { session_source_type: 'ci', session_source_id: randomUUID(), runtime_principal_id: 'release-bot' };
    expect((await call('POST', '', named, viewer)).status).toBe(403);
    expect((await call('POST', `/${id}/interactions`, INTERACTION, executor)).status).toBe(201);
    const note = await gateway().call('POST', '/api/v1/operator-notes', {
      token: executor,
      body: { runtime_session_id: id, text: 'x' },
    });
    expect([note.status, note.body.detail.permission]).toEqual([403, 'control_managed_agent']);
    expect((await call('GET', '', undefined, trackerManager)).status).toBe(403);
    expect((await gateway().call('GET', SESSIONS_PATH)).status).toBe(401);
  });
});
