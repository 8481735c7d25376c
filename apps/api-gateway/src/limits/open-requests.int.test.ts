import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@steward/testing';
import { useApprovals } from '../testing/approval-tests.ts';
import { connectMcp } from '../testing/mcp-tests.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../testing/start-gateway.ts';

const readGauge = async (gateway: TestGateway, kind: string): Promise<number> => {
  const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
  return Number(new RegExp(`^steward_open_requests\\{.*kind="${kind}".*\\} (\\d+)$`, 'm').exec(text)?.[1]);
};

describe('200 streams and long polls of one account', () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway({ HEALTH_PORT: '0' })));
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

  it('are limited to 64 waiting requests, 48 of them per key; further ones are refused with 429 before they wait (LIM-9)', async () => {
    const account = await gateway.registerAccount();
    const path = await startExecution(account);
    const made = await gateway.call('POST', '/api/v1/auth/api-keys', {
      token: account.accessToken,
      body: { name: 'ci' },
    });
    const leaving = new AbortController();
    const open = (query: string, token: string) =>
      fetch(`${gateway.url}${path}${query}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: leaving.signal,
      });

    const streams = await Promise.all(Array.from({ length: 100 }, () => open('/logs?follow=1', made.body.key)));
    const byStatus = (status: number) => streams.filter((each) => each.status === status);
    expect([byStatus(200).length, byStatus(429).length]).toEqual([48, 52]);
    const [refusal] = byStatus(429);
    expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refusal?.json()).toMatchObject({ detail: { code: 'rate_limited', limit: 48 } });

    // Other credentials of the account still find slots next to a key that used all of its share.
    const refused: Response[] = [];
    for (let index = 0; index < 100; index += 1) {
      const note = (response: Response): void => void refused.push(response);
      open('?wait=60', account.accessToken).then(note, () => undefined);
    }
    await eventually(() => Promise.resolve(refused.length >= 84));
    expect(await readGauge(gateway, 'wait')).toBe(64);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    expect(await refused[0]?.json()).toMatchObject({ detail: { code: 'rate_limited', limit: 64 } });

    leaving.abort();
    await eventually(async () => (await readGauge(gateway, 'wait')) === 0);
    expect(refused).toHaveLength(84);
  });
});

describe('an account that has used all slots for waiting requests', () => {
  const approvals = useApprovals({ ACCOUNT_MAX_WAITING: '1', HEALTH_PORT: '0' });

  it('gets pending approvals immediately, and gets 429 when reading a request only if "wait" is set (LIM-72)', async () => {
    const gateway = approvals.people.gateway();
    const id = await approvals.hold();
    const leaving = new AbortController();
    const { accessToken: token } = approvals.owner();
    const path = `/api/v1/approval-requests/${id}`;
    const waiting = fetch(`${gateway.url}${path}?wait=60`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    }).catch(() => undefined);
    await eventually(async () => (await readGauge(gateway, 'wait')) === 1);

    const refused = await gateway.call('GET', `${path}?wait=60`, { token });
    expect([refused.status, refused.body.detail]).toMatchObject([429, { code: 'rate_limited', limit: 1 }]);
    expect((await gateway.call('GET', path, { token })).status).toBe(200);

    const client = await connectMcp(gateway.url, token);
    const answers = Promise.all([
      approvals.check({ wait_seconds: 45 }),
      client.call('ask_operator', { question: 'May I?' }),
      client.call('get_approval_status', { approval_request_id: id, wait_seconds: 45 }),
    ]);
    const [checked, asked] = (await Promise.race([answers, delay(20_000, undefined, { ref: false })])) ?? [];
    expect(checked?.body).toMatchObject({ decision: 'pending', approval_request_id: id });
    expect(asked?.structuredContent).toMatchObject({ status: 'pending_approval' });
    await client.close();

    leaving.abort();
    await waiting;
    await eventually(async () => (await readGauge(gateway, 'wait')) === 0);
    const decided = approvals.check({ wait_seconds: 45 });
    await eventually(async () => (await readGauge(gateway, 'wait')) === 1);
    await approvals.decide(id, 'approve');
    expect((await decided).body).toMatchObject({ decision: 'allow' });
  });
});
