import { newId } from '@steward/crypto';
import { useFlows } from '../../../../testing/flow-tests.ts';

/** Budget of triggers; small, because a larger one would refill sooner than a busy machine spends it. */
const PER_MINUTE = 2;

describe('the rate budget of the trigger routes', () => {
  const { createHook, gateway, token } = useFlows({
    FLOW_TRIGGER_RATE_PER_MINUTE: String(PER_MINUTE),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  let sender = 0;
  // Each test sends from a different IP address with a full budget.
  beforeEach(() => {
    sender += 1;
  });

  const post = (path: string, body: unknown = {}) =>
    gateway().call('POST', path, {
      token: token(),
      body,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${sender}` },
    });
  const spend = async (path: string, times: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < times; count += 1) statuses.push((await post(path)).status);
    return statuses;
  };

  it('refuses a flow above its own budget with 429 and the seconds to wait, on both routes, and does not affect other flows (LIM-10, ERR-3)', async () => {
    const hook = await createHook();
    expect(await spend(hook.url, PER_MINUTE)).toEqual([202, 202]);
    const refused = await post(`/api/v1${hook.url}`);
    expect([refused.status, refused.body.detail.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(5);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60 / PER_MINUTE);
    expect((await post(`/flows/${hook.id}/trigger`)).status).toBe(429);
    // Checked before the body: nothing is parsed for a sender over its budget.
    expect((await post(hook.url, '{')).status).toBe(429);
    expect((await post((await createHook()).url)).status).toBe(202);
  });

  it('counts wrong secrets separately: they block neither the flow nor the correct secret (LIM-12)', async () => {
    const hook = await createHook();
    const wrong = `/webhooks/flows/${hook.id}/flw_wrong`;
    expect(await spend(wrong, PER_MINUTE + 1)).toEqual([404, 404, 429]);
    const unknown = await post(`/webhooks/flows/${newId()}/flw_wrong`);
    expect([unknown.status, Number(unknown.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await spend(hook.url, PER_MINUTE)).toEqual([202, 202]);
  });

  it('limits one address across all flows (LIM-11)', async () => {
    const hooks = await Promise.all(Array.from({ length: 15 }, () => createHook()));
    const startedAt = performance.now();
    for (const hook of hooks.slice(0, 5)) expect(await spend(hook.url, PER_MINUTE)).toEqual([202, 202]);
    const further = await Promise.all(hooks.slice(5).map(({ url }) => post(url)));
    const granted = further.filter(({ status }) => status === 202).length;
    // The budget refills while the test runs.
    expect(granted).toBeLessThanOrEqual(Math.floor(((performance.now() - startedAt) * PER_MINUTE * 5) / 60_000));
    expect(further.filter(({ status }) => status === 429)).toHaveLength(further.length - granted);
  });
});
