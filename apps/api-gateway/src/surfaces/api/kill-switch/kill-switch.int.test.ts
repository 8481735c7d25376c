import { useApprovals } from '../../../testing/approval-tests.ts';
import { changeMeanwhile } from '../../../testing/change-meanwhile.ts';
import { insertRun, issueRunToken } from '../../../testing/insert-run.ts';
import type { JsonResponse } from '../../../testing/start-gateway.ts';

const tests = useApprovals({ FLOW_TRIGGER_RATE_PER_MINUTE: '100000', ACCOUNT_RATE_PER_MINUTE: '1000000' });
const PATH = '/api/v1/account/kill-switch';

type Call = (method: string, path: string, options?: { token?: string; body?: unknown }) => Promise<JsonResponse>;
const gateway: Call = (...args) => tests.people.gateway().call(...args);
const turn = (engaged: boolean, reason?: string, token = tests.owner().accessToken): Promise<JsonResponse> =>
  gateway('PUT', PATH, { token, body: { engaged, ...(reason === undefined ? {} : { reason }) } });

async function createHook(): Promise<{ id: string; url: string }> {
  const { body } = await tests.call('POST', '/flows', {
    name: 'hook',
    prompt_template: 'x',
    agent_type: 'command',
    agent_config: { command: 'true' },
    trigger: 'webhook',
  });
  return { id: body.id, url: `/webhooks/flows/${body.id}/${body.webhook_config.webhook_secret}` };
}

async function addRun(): Promise<{ executionId: string; token: string }> {
  const { accountId } = tests.owner();
  const session = await tests.call('POST', '/runtime-sessions', {
    session_source_type: 'test',
    session_source_id: `run ${performance.now()}`,
  });
  const run = await insertRun(tests.people.query, { accountId, sessionId: session.body.id });
  return { executionId: run.executionId, token: await issueRunToken(tests.people.gateway(), run) };
}

/** Returns requests for actions of every surface: model calls, an MCP request, a permission check and triggers. */
function listActs(flowId: string, hookUrl: string): [string, string, object][] {
  return [
    ['POST', '/openai/v1/chat/completions', { model: 'x', messages: [] }],
    ['POST', '/anthropic/v1/messages', { model: 'x', messages: [], max_tokens: 1 }],
    ['POST', '/mcp/v1', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
    ['POST', '/api/v1/agents/permission-check', { tool_name: 'read', arguments: {} }],
    ['POST', `/api/v1/flows/${flowId}/trigger`, { payload: {} }],
    ['POST', hookUrl, { any: 'payload' }],
  ];
}

describe('the engaged kill switch', () => {
  it('refuses every action from the next request on, in every process, on every API and for every caller, until it is released (KILL-1, KILL-2, KILL-6)', async () => {
    const twin = await tests.people.gateway().startTwin();
    try {
      const hook = await createHook();
      const agent = await tests.addAgent();
      const { token: run } = await addRun();
      const callers = [agent, tests.owner().accessToken, run];
      const sendAll = async (call: Call): Promise<(string | undefined)[]> => {
        const answers: Promise<JsonResponse>[] = [];
        for (const token of callers)
          for (const [method, path, body] of listActs(hook.id, hook.url))
            answers.push(call(method, path, path.startsWith('/webhooks') ? { body } : { token, body }));
        return (await Promise.all(answers)).map(({ status, body }) => (status === 403 ? readCode(body) : undefined));
      };
      expect((await sendAll(gateway)).concat(await sendAll(twin.call))).not.toContain('kill_switch_engaged');
      expect((await turn(true, 'odd purchases')).status).toBe(200);
      const refused = (await sendAll(gateway)).concat(await sendAll(twin.call));
      expect(refused).toEqual(refused.map(() => 'kill_switch_engaged'));
      // The other process releases the kill switch.
      await twin.call('PUT', PATH, { token: tests.owner().accessToken, body: { engaged: false } });
      expect((await sendAll(gateway)).concat(await sendAll(twin.call))).not.toContain('kill_switch_engaged');
    } finally {
      await twin.close();
    }
  });

  it('stops running and pending executions, cancels approval requests, and reports the numbers (KILL-3, KILL-4)', async () => {
    const { executionId: running } = await addRun();
    const hook = await createHook();
    const { body: waiting } = await gateway('POST', hook.url, { body: { n: 1 } });
    const held = await tests.hold();
    const { status, body } = await turn(true, 'odd purchases');
    expect({ status, ...body }).toMatchObject({
      status: 200,
      engaged: true,
      reason: 'odd purchases',
      changed_by: { user_id: tests.owner().userId, username: tests.owner().username },
      stopped_executions: 2,
      cancelled_approval_requests: 1,
    });
    expect(await tests.read(held)).toMatchObject({ status: 'cancelled', actor: { kind: 'user' } });
    const pending = await tests.call('GET', `/flows/executions/${waiting.execution_id}`);
    expect(pending.body).toMatchObject({ status: 'STOPPED', failure_category: 'cancelled' });
    const [row] = await tests.people.query('select stop_requested_at from flows.execution where id = $1', [running]);
    expect(row?.['stop_requested_at']).not.toBeNull();
    // A repeated request does not end anything a second time.
    expect((await turn(true)).body).toMatchObject({ stopped_executions: 0, cancelled_approval_requests: 0 });
  });

  it('withholds triggers that were accepted before it was engaged but stored afterwards, and ends them when it is released (KILL-5)', async () => {
    const hook = await createHook();
    await turn(true);
    const { accountId } = tests.owner();
    await tests.people.query(
      `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details)
       values (gen_random_uuid(), $1, $2, 'late', 'PENDING', 'webhook', '{}')`,
      [accountId, hook.id],
    );
    /** Claims executions, as a worker does, until none is left; returns those of this account. */
    const claim = async (): Promise<unknown[]> => {
      const claimed: { account_id?: unknown }[] = [];
      for (let found = 1; found > 0;) {
        const rows = await tests.people.query(
          `select account_id from flows.claim_execution('w', gen_random_uuid(), 60, 100, 1000, null, '{}')`,
          [],
        );
        found = rows.length;
        claimed.push(...rows);
      }
      return claimed.filter((row) => row.account_id === accountId);
    };
    expect(await claim()).toEqual([]);
    expect((await turn(false)).body).toMatchObject({ engaged: false, stopped_executions: 1 });
    expect(await claim()).toEqual([]);
    await gateway('POST', hook.url, { body: {} });
    expect(await claim()).toHaveLength(1);
  });

  it('remains engaged if one user engages it while another user releases it (KILL-5)', async () => {
    await turn(true, 'first');
    const again = `update gateway.kill_switch set reason = 'second', changed_at = now() where account_id = $1`;
    const engaging: [string, string][] = [[again, tests.owner().accountId]];
    const released = await changeMeanwhile(tests.people.gateway(), engaging, () => turn(false));
    expect([released.status, released.body.detail.code]).toEqual([409, 'conflict']);
    expect((await gateway('GET', PATH, { token: tests.owner().accessToken })).body).toMatchObject({
      engaged: true,
      reason: 'second',
    });
    expect((await turn(false)).status).toBe(200);
  });

  it('lets people read its state and release it, but not decide requests (KILL-2)', async () => {
    const held = await tests.hold();
    await turn(true);
    expect(await tests.read(held)).toMatchObject({ status: 'cancelled' });
    expect((await tests.decide(held, 'approve')).body.detail.code).toBe('kill_switch_engaged');
    expect((await tests.call('GET', '/flows')).status).toBe(200);
    expect((await turn(false)).body).toMatchObject({ engaged: false, reason: null });
    expect((await tests.decide(held, 'approve')).body.detail.code).toBe('already_resolved');
  });

  it('stops all of fifty simultaneous calls that arrive after it has been engaged (KILL-1)', async () => {
    const agent = await tests.addAgent();
    const check = async () => (await tests.check({ tool_name: 'read' }, { token: agent })).status;
    let isAnswered = false;
    const late: number[] = [];
    const callOn = async (): Promise<void> => {
      for (let more = 3; more > 0;) {
        const cameLater = isAnswered;
        const status = await check();
        if (!cameLater) continue;
        late.push(status);
        more -= 1;
      }
    };
    const callers = Array.from({ length: 50 }, callOn);
    await turn(true);
    isAnswered = true;
    await Promise.all(callers);
    expect(new Set(late)).toEqual(new Set([403]));
    expect(late).toHaveLength(150);
  });

  it('applies only to one account (KILL-1)', async () => {
    const other = await tests.people.register();
    await turn(true);
    const { status, body } = await gateway('GET', PATH, { token: other.accessToken });
    expect([status, body]).toEqual([200, { engaged: false, reason: null, changed_at: null, changed_by: null }]);
    const sent = { token: other.accessToken, body: { tool_name: 'read', arguments: {} } };
    expect((await gateway('POST', '/api/v1/agents/permission-check', sent)).status).toBe(200);
  });
});

describe('the caller of the kill switch (KILL-1)', () => {
  it('must be an owner or an admin; others can only read its state', async () => {
    const dana = tests.dana();
    expect((await turn(true, 'x', dana.token)).body.detail).toMatchObject({
      code: 'permission_denied',
      permission: 'manage_kill_switch',
    });
    expect((await gateway('GET', PATH, { token: dana.token })).body.engaged).toBe(false);
    const { body: log } = await tests.call('GET', '/audit-log?resource_type=kill_switch');
    expect(log.items.filter(({ status }: { status: string }) => status === 'success')).toEqual([]);
  });

  it('cannot be an agent, whatever the permissions of the key’s owner', async () => {
    const agent = await tests.addAgent();
    await turn(true);
    expect((await turn(false, undefined, agent)).body.detail.code).toBe('permission_denied');
    expect((await tests.call('GET', '/account/kill-switch')).body.engaged).toBe(true);
  });

  it.each([
    {},
    { engaged: 'yes' },
    { engaged: true, reason: '' },
    { engaged: true, reason: 'x'.repeat(501) },
    { engaged: true, more: 1 },
  ])('refuses %p', async (body) => {
    expect((await gateway('PUT', PATH, { token: tests.owner().accessToken, body })).status).toBe(422);
  });

  it('creates an audit row for each change', async () => {
    await turn(true, 'why');
    await turn(false);
    const { body } = await tests.call('GET', '/audit-log?resource_type=kill_switch');
    expect(body.items.map(({ action, details }: { action: string; details: object }) => [action, details])).toEqual([
      ['release', {}],
      ['engage', { reason: 'why' }],
    ]);
  });
});

/**
 * Returns the error code of the kill switch, in the error format of any surface, or the whole body if it has another
 * code.
 */
function readCode(body: unknown): string {
  const text = JSON.stringify(body);
  return text.includes('kill_switch_engaged') ? 'kill_switch_engaged' : text;
}
