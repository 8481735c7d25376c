import { useAgents } from '../../../../testing/agent-tests.ts';
import { changeMeanwhile } from '../../../../testing/change-meanwhile.ts';

const { tests, gateway, register } = useAgents();

describe('a key that is created while its agent is suspended (AGT-3)', () => {
  it.each([
    ['by a person', false],
    ['by a key', true],
  ])('%s is also suspended', async (_by, isByKey) => {
    const { id } = await register();
    const { body: maker } = await tests.call('POST', '/auth/api-keys', { name: 'maker', scopes: ['manage_api_keys'] });
    const body = { name: 'made', runtime_principal: { type: 'managed_agent', id } };
    const make = async (): Promise<string> =>
      (await tests.call('POST', '/auth/api-keys', body, isByKey ? maker.key : undefined)).body.key;
    const suspending: [string, string][] = [
      [`update agents.agent set lifecycle_state = 'suspended' where id = $1`, id],
      [`update gateway.api_key set is_suspended = true where runtime_principal_id = $1`, id],
    ];
    const key = await changeMeanwhile(gateway(), suspending, make);
    const { status, body: answer } = await gateway().call('GET', '/api/v1/users/me', { token: key });
    expect([status, answer.detail?.code]).toEqual([403, 'agent_suspended']);
  });
});
