import { randomUUID } from 'node:crypto';
import { useApprovals } from '../../../../testing/approval-tests.ts';
import { connectMcp } from '../../../../testing/mcp-tests.ts';
import type { JsonResponse } from '../../../../testing/start-gateway.ts';

const tests = useApprovals({ ACCOUNT_RATE_PER_MINUTE: '1000000' });
const gateway = () => tests.people.gateway();
const CLAUDE = { agent_kind: 'claude_code', display_name: 'Claude of Dana' };

const register = async (fields: object = {}): Promise<JsonResponse['body']> => {
  const { status, body } = await tests.call('POST', '/agents', { ...CLAUDE, ...fields });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
};
const addKey = async (id: string, more: object = {}): Promise<{ id: string; key: string }> =>
  (await tests.call('POST', '/auth/api-keys', { name: 'k', runtime_principal: { type: 'managed_agent', id }, ...more }))
    .body;
const enroll = (id: string, fields: object = {}) =>
  tests.call('POST', `/agents/${id}/enrollments`, { enrollment_type: 'cli', ...fields });
const validate = (id: string, enrollmentId: string, fields: object = {}) =>
  tests.call('POST', `/agents/${id}/enrollments/${enrollmentId}/validate`, { ok: true, ...fields });
const readOnboardings = async () =>
  (await tests.readEvents()).filter(({ type }) => type === 'agent.onboarded').map(({ data }) => data);
const readAudits = async (action: string) =>
  (await tests.call('GET', `/audit-log?resource_type=agent_enrollment&action=${action}`)).body.items as object[];

describe('an agent of the registry (AGT-1)', () => {
  it('is registered, read, listed and changed', async () => {
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

  it('of one source is there once', async () => {
    const source = { session_source_type: 'claude', session_source_id: 'x' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => tests.call('POST', '/agents', { ...CLAUDE, ...source })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('is found by kind, state, tag and part of its name', async () => {
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
    ['of a kind with capitals', { agent_kind: 'Claude' }, 'agent_kind'],
    ['without a name', { display_name: ' ' }, 'display_name'],
    ['with a long name', { display_name: 'x'.repeat(121) }, 'display_name'],
    ['with half a source', { session_source_type: 'claude' }, 'session_source_id'],
    ['of an owner nobody knows', { owner_user_id: randomUUID() }, 'owner_user_id'],
    ['with a tag twice', { tags: ['a', 'a'] }, 'tags'],
    ['with an unknown field', { colour: 'red' }, 'colour'],
  ])('%s is refused', async (_what, fields, field) => {
    const { status, body } = await tests.call('POST', '/agents', { ...CLAUDE, ...fields });
    expect([status, body.detail.field]).toEqual([422, field]);
    expect((await tests.call('GET', '/agents')).body.items).toEqual([]);
  });

  it('is seen by all of the account, changed by those who manage agents, and foreign to others', async () => {
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
  it('is of one that is in the registry and not retired', async () => {
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

  it('says when its agent was seen, once a minute at the most', async () => {
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

  it('tells policies the kind, the name and the tags of its agent (POL-19)', async () => {
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
  it('is no agent’s to change, retire or merge, whatever the person may whose key it has', async () => {
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

  it('is refused on the next call on every door and process, until it is active again', async () => {
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
      // A key that is made meanwhile is no way round.
      const { key: later } = await addKey(id);
      expect((await gateway().call('GET', '/api/v1/users/me', { token: later })).status).toBe(403);
      const { body } = await tests.call('PATCH', `/agents/${id}`, { lifecycle_state: 'active' });
      expect(body).toMatchObject({ lifecycle_state: 'active', lifecycle_reason: null });
      expect(new Set(await calls())).toEqual(new Set([false]));
    } finally {
      await twin.close();
    }
  });

  it('retired has no keys any more, whatever becomes of it, and its history stays', async () => {
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

describe('an enrollment (AGT-5, AGT-6)', () => {
  beforeEach(() => tests.listen());

  it('validated by twenty at once is told and recorded once (AG-1)', async () => {
    const { id } = await register();
    const { body: enrollment } = await enroll(id);
    expect(enrollment).toMatchObject({
      status: 'pending',
      gateway_routed: false,
      mcp_server_count: 0,
      onboarded_at: null,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => validate(id, enrollment.id)));
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['validated']));
    expect(await readOnboardings()).toHaveLength(1);
    expect(await readAudits('validate')).toHaveLength(1);
    expect((await tests.call('GET', `/agents/${id}`)).body.latest_enrollment).toMatchObject({
      id: enrollment.id,
      status: 'validated',
    });
  });

  it('created validated is told at once, and never again (AG-1)', async () => {
    const { id } = await register();
    const { body: enrollment } = await enroll(id, { status: 'validated' });
    await validate(id, enrollment.id);
    await validate(id, enrollment.id, { ok: false });
    await validate(id, enrollment.id);
    expect(await readOnboardings()).toMatchObject([{ enrollment_id: enrollment.id, outcome: 'created' }]);
  });

  it('is told as created, relinked, once merged, then relinked (AG-2)', async () => {
    const { id } = await register();
    const { id: duplicate } = await register();
    await enroll(id, { status: 'validated' });
    await enroll(duplicate, { status: 'validated' });
    await enroll(id, { status: 'validated' });
    await tests.call('POST', `/agents/${id}/merge`, { duplicate_agent_id: duplicate });
    await enroll(duplicate, { status: 'validated' });
    await enroll(id, { status: 'validated' });
    const told = await readOnboardings();
    expect(told.map(({ agent_id: of, outcome }) => [of, outcome])).toEqual([
      [id, 'created'],
      [duplicate, 'created'],
      [id, 'relinked'],
      [id, 'merged'],
      [id, 'relinked'],
    ]);
  });

  it('tells what the contract names, and nothing of the configuration (AG-3)', async () => {
    const { id } = await register({ owner_user_id: tests.owner().userId });
    const secret = 'dana-laptop';
    const { body: enrollment } = await enroll(id, {
      adapter_key: 'claude_code',
      target_config_path: `/home/${secret}/.claude/settings.json`,
      gateway_routed: true,
      mcp_rewritten: true,
      mcp_server_count: 3,
    });
    await validate(id, enrollment.id, { message: `reached from ${secret}` });
    expect(await readOnboardings()).toEqual([
      {
        agent_id: id,
        agent_name: CLAUDE.display_name,
        agent_kind: 'claude_code',
        source_type: 'custom',
        outcome: 'created',
        enrollment_id: enrollment.id,
        owner_user_id: tests.owner().userId,
        actor_user_id: tests.owner().userId,
        gateway_routed: true,
        mcp_rewritten: true,
        mcp_server_count: 3,
      },
    ]);
    expect(JSON.stringify(await tests.readEvents())).not.toContain(secret);
  });

  it('fails and is validated again, and ends restored', async () => {
    const { id } = await register();
    const { body: enrollment } = await enroll(id, { status: 'applied' });
    const { body: failed } = await validate(id, enrollment.id, { ok: false, message: 'no route' });
    expect(failed).toMatchObject({ status: 'failed', message: 'no route', onboarded_at: null });
    expect((await validate(id, enrollment.id, { mcp_server_count: 2 })).body).toMatchObject({
      status: 'validated',
      message: null,
      mcp_server_count: 2,
    });
    const restore = () => tests.call('POST', `/agents/${id}/enrollments/${enrollment.id}/restore`);
    expect((await restore()).body.status).toBe('restored');
    expect((await restore()).body.status).toBe('restored');
    expect((await validate(id, enrollment.id)).status).toBe(409);
    expect((await tests.call('GET', `/agents/${id}/enrollments`)).body.items).toMatchObject([{ status: 'restored' }]);
    expect(await readAudits('restore')).toHaveLength(1);
  });

  it('is of its agent alone, and of none that is retired', async () => {
    const { id } = await register();
    const { id: other } = await register();
    const { body: enrollment } = await enroll(id);
    expect((await validate(other, enrollment.id)).status).toBe(404);
    expect((await validate(id, randomUUID())).status).toBe(404);
    await tests.call('DELETE', `/agents/${other}`);
    expect((await enroll(other)).status).toBe(409);
    expect((await enroll(id, { status: 'restored' })).status).toBe(422);
  });
});

describe('two agents that are one (AGT-7, AGT-8, AGT-9)', () => {
  const merge = (id: string, duplicate: string) =>
    tests.call('POST', `/agents/${id}/merge`, { duplicate_agent_id: duplicate });

  it('have one set of keys, enrollments, waiting notes and budgets from then on', async () => {
    const { id } = await register({ display_name: 'The one' });
    const { id: duplicate } = await register();
    const { key, id: keyId } = await addKey(duplicate);
    const { body: enrollment } = await enroll(duplicate);
    const note = await tests.call('POST', '/operator-notes', { managed_agent_id: duplicate, text: 'Hello' });
    const budget = await tests.call('POST', '/budgets', {
      scope: 'managed_agent',
      scope_id: duplicate,
      period: 'daily',
      limit_amount: 5,
    });
    const { status, body } = await merge(id, duplicate);
    expect([status, body.id, body.latest_enrollment.id]).toEqual([200, id, enrollment.id]);
    expect((await tests.call('GET', `/agents/${duplicate}`)).body).toMatchObject({
      lifecycle_state: 'retired',
      merged_into: id,
    });
    const keys = (await tests.call('GET', '/auth/api-keys')).body.items as { id: string; runtime_principal: unknown }[];
    expect(keys.find((each) => each.id === keyId)?.runtime_principal).toEqual({
      type: 'managed_agent',
      id,
      name: 'The one',
    });
    const notes = await gateway().call('POST', '/api/v1/agents/notes/pending', {
      token: key,
      body: { channel: 'hook' },
    });
    expect(notes.body.operator_notes ?? notes.body.items ?? notes.body.notes).toMatchObject([{ id: note.body.id }]);
    expect((await tests.call('GET', `/budgets/${budget.body.id}`)).body.scope_id).toBe(id);
  });

  it('are found under either id, and neither changes what was written', async () => {
    const { id } = await register();
    const { id: duplicate } = await register();
    const open = async (agent: string) => {
      const token = (await addKey(agent)).key;
      const body = { session_source_type: 'test', session_source_id: randomUUID() };
      return (await gateway().call('POST', '/api/v1/runtime-sessions', { token, body })).body.id as string;
    };
    const sessions = [await open(id), await open(duplicate)].sort();
    await tests.check({ tool_name: 'deploy' }, { token: (await addKey(duplicate)).key });
    for (const session of sessions) {
      const body = { role: 'user', content: 'the walrus sleeps' };
      await tests.call('POST', `/runtime-sessions/${session}/transcript`, { messages: [body] });
    }
    await merge(id, duplicate);
    for (const each of [id, duplicate]) {
      const filters = { runtime_principal_id: each };
      const search = await tests.call('POST', '/runtime-sessions/search', { query: 'walrus', filters, limit: 1 });
      const { next_cursor: cursor } = search.body;
      const next = await tests.call('POST', '/runtime-sessions/search', { query: 'walrus', filters, limit: 1, cursor });
      const found = [search, next].map(({ body }) => body.results[0].runtime_session_id as string);
      expect(found.sort()).toEqual(sessions);
      const { body } = await tests.call('GET', `/runtime-sessions?runtime_principal_id=${each}`);
      expect(body.items.map((session: { id: string }) => session.id).sort()).toEqual(sessions);
      const requests = (await tests.call('GET', `/approval-requests?managed_agent_id=${each}`)).body.items;
      expect(requests).toHaveLength(1);
      expect(requests[0].managed_agent_id).toBe(duplicate);
    }
  });

  it('may be a chain: each id is what its end is', async () => {
    const [a, b, c] = [await register(), await register(), await register()].map(({ id }) => id as string);
    await merge(String(b), String(a));
    await merge(String(c), String(b));
    const { key } = await addKey(String(a));
    expect((await gateway().call('GET', '/api/v1/users/me', { token: key })).status).toBe(200);
    expect((await enroll(String(a))).body.agent_id).toBe(c);
    for (const [one, other] of [
      [a, a],
      [a, b],
      [c, a],
      [a, c],
    ])
      expect((await merge(String(one), String(other))).status).toBe(422);
    expect((await tests.call('PATCH', `/agents/${a}`, { lifecycle_state: 'active' })).status).toBe(409);
  });

  it('merged each into the other at once are one', async () => {
    const [a, b] = [await register(), await register()].map(({ id }) => id as string);
    const answers = await Promise.all([merge(String(a), String(b)), merge(String(b), String(a))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const states = (await tests.call('GET', '/agents')).body.items.map(
      (agent: { lifecycle_state: string }) => agent.lifecycle_state,
    );
    expect(states.sort()).toEqual(['active', 'retired']);
  });

  it('of two accounts stay two', async () => {
    const { id } = await register();
    const other = await tests.people.register();
    const foreign = await tests.call('POST', '/agents', CLAUDE, other.accessToken);
    expect((await merge(id, foreign.body.id)).status).toBe(404);
    expect(
      (await tests.call('GET', `/agents/${foreign.body.id}`, undefined, other.accessToken)).body.merged_into,
    ).toBeNull();
  });
});

describe('a note to an agent of the registry (AGT-4)', () => {
  it('waits for its first session', async () => {
    const { id } = await register();
    const { status, body } = await tests.call('POST', '/operator-notes', { managed_agent_id: id, text: 'Hello' });
    expect([status, body.state, body.runtime_session_id]).toEqual([201, 'pending', null]);
    expect((await tests.call('POST', '/operator-notes', { managed_agent_id: randomUUID(), text: 'x' })).status).toBe(
      404,
    );
  });
});
