import { newId } from '@steward/runtime';
import { startTestGateway, type TestGateway } from './start-gateway.ts';

/** Sets the file up: a gateway, an account that owns flows, and a viewer in it. */
export function useFlows() {
  let gateway: TestGateway;
  let token: string;
  let viewer: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ FLOW_TRIGGER_RATE_PER_MINUTE: '1000' });
    token = (await gateway.registerAccount()).accessToken;
    const login = { username: 'the-viewer', password: 'a long enough password' };
    await gateway.call('POST', '/api/v1/users', {
      token,
      body: { ...login, email: 'viewer@example.test', role: 'viewer' },
    });
    viewer = (await gateway.call('POST', '/api/v1/auth/token/json', { body: login })).body.access_token;
  });
  afterAll(() => gateway.close());

  const create = async (more: Record<string, unknown> = {}) => {
    const body = {
      name: `flow ${newId()}`,
      prompt_template: 'x',
      agent_type: 'command',
      agent_config: { command: 'true' },
      ...more,
    };
    return gateway.call('POST', '/api/v1/flows', { token, body });
  };
  return {
    gateway: () => gateway,
    /** Of the owner. */
    token: () => token,
    /** Of a user who may look and nothing else. */
    viewer: () => viewer,
    create,
    async createHook(more: Record<string, unknown> = {}) {
      const { body } = await create({ trigger: 'webhook', ...more });
      return {
        id: body.id as string,
        secret: body.webhook_config.webhook_secret as string,
        url: `/webhooks/flows/${body.id}/${body.webhook_config.webhook_secret}`,
      };
    },
    async countExecutions(flowId: string): Promise<number> {
      return (await gateway.call('GET', `/api/v1/flows/executions?flow_id=${flowId}`, { token })).body.items.length;
    },
  };
}
