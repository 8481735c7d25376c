import { randomUUID } from 'node:crypto';
import { CLAUDE, useAgents } from '../../../../testing/agent-tests.ts';
import { connectMcp } from '../../../../testing/mcp-tests.ts';

const { tests, gateway, register, addKey } = useAgents();

describe('an agent of the registry (AGT-1)', () => {
  it('is registered, read, listed and updated', async () => {
    const agent = await register({ tags: ['prod'], session_source_type: 'claude', session_source_id: 'dana-laptop' });
    expect(agent).toEqual({
      id: agent.id,
      ...CLAUDE,
      session_source_type: 'claude',
      session_source_id: 'dana-laptop',
      owner_user_id: null,
      tags: ['prod'],
      enrolled_via: 'operator_registration',
      lifecycle_state: 'active',
      lifecycle_reason: null,
      merged_into: null,
      last_seen_at: null,
      last_model_call_at: null,
      last_permission_check_at: null,
      warnings: [],
      latest_enrollment: null,
      created_at: agent.created_at,
      updated_at: agent.created_at,
    });
    expect((await tests.call('GET', `/agents/${agent.id}`)).body).toEqual(agent);
    expect((await tests.call('GET', '/agents')).body).toEqual({ items: [agent], next_cursor: null });
    const change = { display_name: 'Claude', owner_user_id: tests.owner().userId, tags: [], lifecycle_reason: 'why' };
    const { body } = await tests.call('PATCH', `/agents/${agent.id}`, change);
    expect(body).toEqual({ ...agent, ...change, updated_at: body.updated_at });
  });

  it('is created once per source', async () => {
    const source = { session_source_type: 'claude', session_source_id: 'x' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => tests.call('POST', '/agents', { ...CLAUDE, ...source })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('counts toward the limit of 2,000 agents that are not retired; at the limit, none is created or reactivated (LIM-68)', async () => {
    const retired = await register();
    await tests.call('DELETE', `/agents/${retired.id}`);
    await tests.people.query(
      `insert into agents.agent (account_id, id, agent_kind, display_name, enrolled_via, created_at, updated_at)
       select $1, gen_random_uuid(), 'claude_code', 'many', 'operator_registration', now(), now() from generate_series(1, 1999)`,
      [tests.owner().accountId],
    );
    const answers = await Promise.all([1, 2, 3].map(() => tests.call('POST', '/agents', CLAUDE)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.detail).toMatchObject({ code: 'quota_reached', limit: 2000 });
    const comeBack = () => tests.call('PATCH', `/agents/${retired.id}`, { lifecycle_state: 'active' });
    expect((await comeBack()).status).toBe(409);
    const made = answers.find(({ status }) => status === 201);
    await tests.call('DELETE', `/agents/${made?.body.id}`);
    expect((await comeBack()).status).toBe(200);
  });

  it('is found by kind, state, tag or part of its name', async () => {
    const one = await register({ tags: ['prod'] });
    const two = await register({ agent_kind: 'codex', display_name: '100 % Codex' });
    await tests.call('PATCH', `/agents/${two.id}`, { lifecycle_state: 'suspended' });
    const find = async (query: string) =>
      (await tests.call('GET', `/agents?${query}`)).body.items.map(({ id }: { id: string }) => id);
    expect(await find('agent_kind=codex')).toEqual([two.id]);
    expect(await find('lifecycle_state=active')).toEqual([one.id]);
    expect(await find('tag=prod')).toEqual([one.id]);
    expect(await find('tag=PROD')).toEqual([]);
    expect(await find('q=CLAUDE')).toEqual([one.id]);
    expect(await find('q=%25')).toEqual([two.id]);
    expect(await find('')).toEqual([two.id, one.id]);
    const page = (await tests.call('GET', '/agents?limit=1')).body;
    expect(page.items[0].id).toBe(two.id);
    expect(await find(`limit=1&cursor=${page.next_cursor}`)).toEqual([one.id]);
  });

  it.each<[string, object, string]>([
    ['without a kind', { agent_kind: undefined }, 'agent_kind'],
    ['of a kind in upper case', { agent_kind: 'Claude' }, 'agent_kind'],
    ['without a name', { display_name: ' ' }, 'display_name'],
    ['with a name that is too long', { display_name: 'x'.repeat(121) }, 'display_name'],
    ['with an incomplete source', { session_source_type: 'claude' }, 'session_source_id'],
    ['of an unknown owner', { owner_user_id: randomUUID() }, 'owner_user_id'],
    ['with a repeated tag', { tags: ['a', 'a'] }, 'tags'],
    ['with an unknown field', { colour: 'red' }, 'colour'],
  ])('%s is refused', async (_what, fields, field) => {
    const { status, body } = await tests.call('POST', '/agents', { ...CLAUDE, ...fields });
    expect([status, body.detail.field]).toEqual([422, field]);
    expect((await tests.call('GET', '/agents')).body.items).toEqual([]);
  });

  it('is visible to the whole account, can be changed by users who manage agents, and is not visible to other accounts', async () => {
    const { id } = await register();
    const stranger = await tests.people.register();
    const { token: viewer } = tests.dana();
    expect((await tests.call('GET', `/agents/${id}`, undefined, viewer)).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', '/agents', CLAUDE],
      ['PATCH', `/agents/${id}`, { tags: [] }],
      ['DELETE', `/agents/${id}`, undefined],
      ['POST', `/agents/${id}/merge`, { duplicate_agent_id: id }],
      ['POST', `/agents/${id}/enrollments`, { enrollment_type: 'cli' }],
    ] as const) {
      expect((await tests.call(method, path, body, viewer)).status).toBe(403);
      if (path !== '/agents') expect((await tests.call(method, path, body, stranger.accessToken)).status).toBe(404);
    }
    expect((await tests.call('GET', `/agents/${id}`, undefined, stranger.accessToken)).status).toBe(404);
  });
});

describe('a key of an agent (AGT-2)', () => {
  it('is bound to an agent that exists in the registry and is not retired', async () => {
    const bind = async (id: string) =>
      (await tests.call('POST', '/auth/api-keys', { name: 'k', runtime_principal: { type: 'managed_agent', id } }))
        .body;
    const other = await tests.people.register();
    const foreign = await tests.call('POST', '/agents', CLAUDE, other.accessToken);
    const retired = await register();
    await tests.call('DELETE', `/agents/${retired.id}`);
    for (const id of ['release-bot', randomUUID(), foreign.body.id as string, retired.id as string])
      expect((await bind(id)).detail).toMatchObject({ code: 'unknown_agent', field: 'runtime_principal.id' });
    const { id } = await register();
    expect((await bind(id)).runtime_principal).toEqual({ type: 'managed_agent', id, name: CLAUDE.display_name });
  });

  it('records when its agent was last seen, at most once a minute', async () => {
    const { id } = await register();
    const { key } = await addKey(id);
    const { key: second } = await addKey(id);
    const seen = async () => (await tests.call('GET', `/agents/${id}`)).body.last_seen_at as string | null;
    expect(await seen()).toBeNull();
    await tests.check({ tool_name: 'read' }, { token: key });
    const first = await seen();
    expect(Date.parse(String(first))).toBeGreaterThan(0);
    await tests.check({ tool_name: 'read' }, { token: second });
    expect(await seen()).toBe(first);
  });

  it('provides the kind, the name and the tags of its agent to policies (POL-19)', async () => {
    await tests.apply(`
version: "1"
rules:
  - { id: no-prod, description: Nothing in production, match: { agent_tags: ["prod"] }, action: deny }
  - { id: no-codex, description: Codex may not, match: { agent_kinds: ["codex"] }, action: deny }
`);
    const ask = async (fields: object) => {
      const { id } = await register(fields);
      return (await tests.check({ tool_name: 'read' }, { token: (await addKey(id)).key })).body.rule?.id;
    };
    expect(await ask({ tags: ['prod'] })).toBe('no-prod');
    expect(await ask({ agent_kind: 'codex' })).toBe('no-codex');
    expect(await ask({})).toBeUndefined();
  });
});

describe('a suspended agent (AGT-3)', () => {
  it('cannot be changed, retired or merged by an agent, whatever the permissions of the key’s owner', async () => {
    const { id } = await register({ tags: ['prod'] });
    const { id: other } = await register();
    const { key } = await addKey(id);
    for (const [method, path, body] of [
      ['POST', '/agents', CLAUDE],
      ['PATCH', `/agents/${id}`, { tags: [] }],
      ['DELETE', `/agents/${other}`, undefined],
      ['POST', `/agents/${id}/merge`, { duplicate_agent_id: other }],
    ] as const) {
      const { status, body: answer } = await tests.call(method, path, body, key);
      expect([status, answer.detail.code]).toEqual([403, 'permission_denied']);
    }
    expect((await tests.call('GET', `/agents/${id}`)).body.tags).toEqual(['prod']);
  });

  it('is refused from the next call on, on every API and in every process, until it is reactivated', async () => {
    const twin = await gateway().startTwin();
    try {
      const { id } = await register();
      const { key } = await addKey(id);
      const calls = () =>
        Promise.all(
          [gateway().url, twin.url].flatMap((url) =>
            (
              [
                ['GET', '/api/v1/users/me'],
                ['POST', '/openai/v1/chat/completions'],
                ['POST', '/anthropic/v1/messages'],
                ['POST', '/mcp/v1'],
                ['POST', '/otlp/v1/traces'],
              ] as const
            ).map(async ([method, path]) => {
              const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
              const answer = await fetch(new URL(path, url), {
                method,
                headers,
                ...(method === 'POST' ? { body: '{}' } : {}),
              });
              return answer.status === 403 && /agent_suspended|is suspended/.test(await answer.text());
            }),
          ),
        );
      expect(new Set(await calls())).toEqual(new Set([false]));
      await tests.call('PATCH', `/agents/${id}`, { lifecycle_state: 'suspended', lifecycle_reason: 'odd purchases' });
      expect(new Set(await calls())).toEqual(new Set([true]));
      await expect(connectMcp(twin.url, key)).rejects.toThrow();
      // A key created while the agent is suspended must not work either.
      const { key: later } = await addKey(id);
      expect((await gateway().call('GET', '/api/v1/users/me', { token: later })).status).toBe(403);
      const { body } = await tests.call('PATCH', `/agents/${id}`, { lifecycle_state: 'active' });
      expect(body).toMatchObject({ lifecycle_state: 'active', lifecycle_reason: null });
      expect(new Set(await calls())).toEqual(new Set([false]));
    } finally {
      await twin.close();
    }
  });

  it('that is retired loses its keys permanently, and its history is retained', async () => {
    const { id } = await register();
    const { key } = await addKey(id);
    const session = { session_source_type: 'test', session_source_id: randomUUID() };
    const opened = await gateway().call('POST', '/api/v1/runtime-sessions', { token: key, body: session });
    expect((await tests.call('DELETE', `/agents/${id}`)).status).toBe(204);
    expect((await gateway().call('GET', '/api/v1/users/me', { token: key })).status).toBe(401);
    await tests.call('PATCH', `/agents/${id}`, { lifecycle_state: 'active' });
    expect((await gateway().call('GET', '/api/v1/users/me', { token: key })).status).toBe(401);
    const { body } = await tests.call('GET', `/runtime-sessions?runtime_principal_id=${id}`);
    expect(body.items.map(({ id: found }: { id: string }) => found)).toEqual([opened.body.id]);
  });
});

describe('a note to an agent of the registry (AGT-4)', () => {
  it('is delivered in its first session', async () => {
    const { id } = await register();
    const { status, body } = await tests.call('POST', '/operator-notes', { managed_agent_id: id, text: 'Hello' });
    expect([status, body.state, body.runtime_session_id]).toEqual([201, 'pending', null]);
    expect((await tests.call('POST', '/operator-notes', { managed_agent_id: randomUUID(), text: 'x' })).status).toBe(
      404,
    );
  });
});
