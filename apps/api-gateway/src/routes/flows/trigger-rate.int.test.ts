import { newId } from '@steward/runtime';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

const PER_MINUTE = 4;

describe('the rate budget of the trigger routes', () => {
  let gateway: TestGateway;
  let token: string;
  beforeEach(async () => {
    gateway = await startTestGateway({ FLOW_TRIGGER_RATE_PER_MINUTE: String(PER_MINUTE) });
    token = (await gateway.registerAccount()).accessToken;
  });
  afterEach(() => gateway.close());

  const createHook = async (): Promise<{ id: string; url: string }> => {
    const { body } = await gateway.call('POST', '/api/v1/flows', {
      token,
      body: {
        name: newId(),
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: { command: 'true' },
        trigger: 'webhook',
      },
    });
    return { id: body.id, url: `/webhooks/flows/${body.id}/${body.webhook_config.webhook_secret}` };
  };
  const post = (path: string, body: unknown = {}) => gateway.call('POST', path, { body });
  const spend = async (path: string, times: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < times; count += 1) statuses.push((await post(path)).status);
    return statuses;
  };

  it('refuses a flow above its own with 429 and the seconds to wait, on both routes, and leaves other flows alone', async () => {
    const hook = await createHook();
    expect(await spend(hook.url, PER_MINUTE)).toEqual([202, 202, 202, 202]);
    const refused = await post(`/api/v1${hook.url}`);
    expect([refused.status, refused.body.detail.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(5);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(15);
    expect((await gateway.call('POST', `/flows/${hook.id}/trigger`, { token, body: {} })).status).toBe(429);
    // Before the body is looked at: nothing is parsed for a sender that is over its budget.
    expect((await post(hook.url, '{')).status).toBe(429);
    expect((await post((await createHook()).url)).status).toBe(202);
  });

  it('wrong secrets use up a budget of their own: neither that of the flow nor the way of the right one', async () => {
    const hook = await createHook();
    const wrong = `/webhooks/flows/${hook.id}/flw_wrong`;
    expect(await spend(wrong, PER_MINUTE + 1)).toEqual([404, 404, 404, 404, 429]);
    const unknown = await post(`/webhooks/flows/${newId()}/flw_wrong`);
    expect([unknown.status, Number(unknown.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await spend(hook.url, PER_MINUTE)).toEqual([202, 202, 202, 202]);
  });

  it('bounds one address over all its flows', async () => {
    const hooks = await Promise.all(Array.from({ length: 6 }, createHook));
    for (const hook of hooks.slice(0, 5)) expect(await spend(hook.url, PER_MINUTE)).toEqual([202, 202, 202, 202]);
    expect((await post(hooks[5]?.url ?? '')).status).toBe(429);
  });
});
