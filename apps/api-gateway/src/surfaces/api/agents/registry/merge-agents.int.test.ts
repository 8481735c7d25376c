import { randomUUID } from 'node:crypto';
import { CLAUDE, useAgents } from '../../../../testing/agent-tests.ts';

const { tests, gateway, register, addKey, enroll } = useAgents();

describe('two registry entries for one agent (AGT-7, AGT-8, AGT-9)', () => {
  const merge = (id: string, duplicate: string) =>
    tests.call('POST', `/agents/${id}/merge`, { duplicate_agent_id: duplicate });

  it('share keys, enrollments, pending notes and budgets after the merge', async () => {
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

  it('are found by either id, and existing records keep their id', async () => {
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

  it('can be merged in a chain: each id resolves to the last entry', async () => {
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

  it('that are merged into each other simultaneously become one', async () => {
    const [a, b] = [await register(), await register()].map(({ id }) => id as string);
    const answers = await Promise.all([merge(String(a), String(b)), merge(String(b), String(a))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const states = (await tests.call('GET', '/agents')).body.items.map(
      (agent: { lifecycle_state: string }) => agent.lifecycle_state,
    );
    expect(states.sort()).toEqual(['active', 'retired']);
  });

  it('cannot be merged across accounts', async () => {
    const { id } = await register();
    const other = await tests.people.register();
    const foreign = await tests.call('POST', '/agents', CLAUDE, other.accessToken);
    expect((await merge(id, foreign.body.id)).status).toBe(404);
    expect(
      (await tests.call('GET', `/agents/${foreign.body.id}`, undefined, other.accessToken)).body.merged_into,
    ).toBeNull();
  });
});
