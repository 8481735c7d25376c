import { eventually } from '@steward/testing';
import { startTestGateway, type TestAccount, type TestGateway } from '../testing/start-gateway.ts';

const PLACES = 2;

describe('streams and long polls', () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway({ ACCOUNT_MAX_WAITING: String(PLACES) })));
  afterAll(() => gateway.close());

  /** Starts an execution, which stays PENDING because no worker runs it; returns its path. */
  async function startExecution({ accessToken: token }: TestAccount): Promise<string> {
    const flow = await gateway.call('POST', '/api/v1/flows', {
      token,
      body: { name: 'waits', prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } },
    });
    const accepted = await gateway.call('POST', `/api/v1/flows/${flow.body.id}/trigger`, { token, body: {} });
    return `/api/v1/flows/executions/${accepted.body.execution_id}`;
  }
  const follow = (path: string, token: string, signal: AbortSignal) =>
    fetch(`${gateway.url}${path}/logs?follow=1`, { headers: { authorization: `Bearer ${token}` }, signal });

  it('are limited per account; a disconnect frees a slot, and other accounts have their own (LIM-9)', async () => {
    const account = await gateway.registerAccount();
    const { accessToken: token } = account;
    const path = await startExecution(account);
    const leaving = new AbortController();
    const staying = new AbortController();
    expect((await follow(path, token, leaving.signal)).status).toBe(200);
    expect((await follow(path, token, staying.signal)).status).toBe(200);

    const refused = await gateway.call('GET', `${path}?wait=30`, { token });
    expect([refused.status, refused.body.detail]).toMatchObject([429, { code: 'rate_limited', limit: PLACES }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const stream = await gateway.call('GET', `${path}/logs?follow=1`, { token });
    expect([stream.status, stream.body.detail.code]).toEqual([429, 'rate_limited']);
    // A request that does not wait needs no slot.
    expect((await gateway.call('GET', path, { token })).status).toBe(200);
    expect((await gateway.call('GET', `${path}/logs`, { token })).status).toBe(200);

    const other = await gateway.registerAccount();
    const waited = await gateway.call('GET', `${await startExecution(other)}?wait=1`, { token: other.accessToken });
    expect([waited.status, waited.body.status]).toEqual([200, 'PENDING']);

    leaving.abort();
    await eventually(async () => (await gateway.call('GET', `${path}?wait=1`, { token })).status === 200);
    staying.abort();
  });
});
