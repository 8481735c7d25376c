import { eventually } from '@steward/testing';
import { useModelGateway } from '../../../../testing/model-gateway-tests.ts';

const gateway = useModelGateway({ HEALTH_PORT: '0' });
const MESSAGE = { model: 'claude', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };

async function addAgent(kind: string) {
  const { call } = gateway.people;
  const token = gateway.token();
  const agent = { agent_kind: kind, display_name: `${kind} of a test` };
  const { id } = (await call('POST', '/agents', token, agent)).body as { id: string };
  const bound = { name: kind, runtime_principal: { type: 'managed_agent', id } };
  const { key } = (await call('POST', '/auth/api-keys', token, bound)).body as { key: string };
  const read = async () => (await call('GET', `/agents/${id}`, token)).body as Record<string, unknown>;
  return {
    read,
    /** Waits until the activity is recorded, which happens after the response. */
    waitFor: (name: string) => eventually(async () => (await read())[name] !== null),
    talk: async () => {
      const answer = await gateway.post('/anthropic/v1/messages', JSON.stringify(MESSAGE), {
        authorization: `Bearer ${key}`,
      });
      expect(answer.status).toBe(200);
      await answer.text();
    },
    check: () => call('POST', '/agents/permission-check', key, { tool_name: 'Bash', arguments: { command: 'ls' } }),
    setBack: (column: string, hours: number) =>
      gateway.people.query(
        `update agents.agent set ${column} = now() - make_interval(hours => ${hours}) where id = $1`,
        [id],
      ),
  };
}

const codes = ({ warnings }: Record<string, unknown>) => (warnings as { code: string }[]).map(({ code }) => code);

describe('the check whether policies are enforced on an agent (AGT-10)', () => {
  it('warns while the agent calls models but never requests a permission check', async () => {
    const agent = await addAgent('codex');
    expect(codes(await agent.read())).toEqual([]);
    await agent.talk();
    await agent.waitFor('last_model_call_at');
    const before = await agent.read();
    expect(before.last_permission_check_at).toBeNull();
    expect(before.warnings).toEqual([
      { code: 'tool_calls_not_asked', message: expect.stringContaining('steward agents validate codex') as string },
    ]);
    expect((await agent.check()).status).toBe(200);
    await agent.waitFor('last_permission_check_at');
    expect(codes(await agent.read())).toEqual([]);
  });

  it('warns again after a day without a request from its hook', async () => {
    const agent = await addAgent('claude_code');
    await agent.talk();
    await agent.check();
    await agent.waitFor('last_model_call_at');
    await agent.waitFor('last_permission_check_at');
    await agent.setBack('last_permission_check_at', 23);
    expect(codes(await agent.read())).toEqual([]);
    await agent.setBack('last_permission_check_at', 25);
    expect(codes(await agent.read())).toEqual(['tool_calls_not_asked']);
  });

  it('does not apply to kinds without a hook', async () => {
    const agent = await addAgent('cursor');
    await agent.talk();
    await agent.waitFor('last_model_call_at');
    expect(codes(await agent.read())).toEqual([]);
  });
});
