import { randomUUID } from 'node:crypto';
import { newId } from '@steward/crypto';
import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
const { apply, call, check } = approvals;

const allowOnly = (condition: string) =>
  apply(`version: "1"
rules:
  - { id: trusted, description: Only there, condition: "${condition}", action: allow }
defaults: { action: deny }
`);
const openSession = async (token?: string): Promise<string> => {
  const source = { session_source_type: 'ci', session_source_id: randomUUID() };
  return (await call('POST', '/runtime-sessions', source, token)).body.id as string;
};
const addKey = async (runtime_principal?: object): Promise<string> =>
  (await call('POST', '/auth/api-keys', { name: newId(), ...(runtime_principal && { runtime_principal }) })).body.key;
const startExecution = async (): Promise<string> => {
  const flow = { name: newId(), prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } };
  const { id } = (await call('POST', '/flows', flow)).body;
  return (await call('POST', `/flows/${id}/trigger`, {})).body.execution_id as string;
};

describe('an identifier that a caller only claims (POL-25)', () => {
  it('does not count as a session for policies, unless the key or the agent opened it, or a person names it', async () => {
    await allowOnly("session.source_type == 'ci'");
    const [key, otherKey] = [await addKey(), await addKey()];
    const agent = { type: 'agent', id: 'bot', name: 'Bot' };
    const [agentKey, sameAgent] = [await addKey(agent), await addKey(agent)];
    const [ofKey, ofAgent] = [await openSession(key), await openSession(agentKey)];
    const ask = async (runtime_session_id: string, token?: string) => {
      const options = token === undefined ? {} : { token };
      return (await check({ runtime_session_id }, options)).body.decision as string;
    };
    expect([await ask(ofKey, key), await ask(ofKey, otherKey), await ask(ofKey)]).toEqual(['allow', 'deny', 'allow']);
    expect([await ask(ofAgent, agentKey), await ask(ofAgent, sameAgent), await ask(ofAgent, key)]).toEqual([
      'allow',
      'allow',
      'deny',
    ]);
  });

  it('does not count as an execution for policies, and does not give the caller the approvals of that execution', async () => {
    const execution_id = await startExecution();
    await allowOnly("execution.id != ''");
    expect((await check({ execution_id })).body.decision).toBe('deny');
    await apply('version: "1"\nrules: []\ndefaults: { action: require_approval }\n');
    const [mine, other] = [await addKey(), await addKey()];
    const held = (await check({ execution_id }, { token: mine })).body;
    expect(held.decision).toBe('pending');
    expect(await approvals.read(held.approval_request_id)).toMatchObject({ execution_id });
    await approvals.decide(held.approval_request_id, 'approve');
    expect((await check({ execution_id }, { token: other })).body.decision).toBe('pending');
    expect((await check({ execution_id }, { token: mine })).body.decision).toBe('allow');
  });
});
