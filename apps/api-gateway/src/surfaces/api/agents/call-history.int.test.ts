import { randomUUID } from 'node:crypto';
import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
const { call, check } = approvals;

const deny = async (condition: string, action = 'deny') => {
  const rules = [{ id: 'guard', description: 'Enough', condition, action }];
  expect((await approvals.apply(JSON.stringify({ version: '1', rules }))).status).toBe(201);
};
const ask = async (tool_name: string, args: object = {}, more: object = {}, token?: string) => {
  const body = { tool_name, arguments: args, ...more };
  return (await check(body, token === undefined ? {} : { token })).body.decision as string;
};
const askInTurn = async (count: number, ...call_: Parameters<typeof ask>) => {
  const decisions: string[] = [];
  for (let index = 0; index < count; index += 1) decisions.push(await ask(...call_));
  return decisions;
};

describe('rules about previous calls (POL-33)', () => {
  it('stop a loop of identical calls, but no other calls', async () => {
    await deny('session.repeats >= 3');
    const args = { path: 'a' };
    expect(await askInTurn(5, 'read_file', args)).toEqual(['allow', 'allow', 'allow', 'deny', 'deny']);
    expect(await ask('read_file', { path: 'b' })).toBe('allow');
    expect(await ask('other', args)).toBe('allow');
  });

  it('recognize the same shell command in different spellings', async () => {
    await deny('session.repeats >= 1');
    expect(await ask('Bash', { command: 'make', description: 'Builds' })).toBe('allow');
    expect(await ask('Bash', { command: 'make', description: 'Builds again', timeout: 5 })).toBe('deny');
    expect(await ask('Bash', { command: 'make', run_in_background: true })).toBe('allow');
  });

  it('restrict what a caller may do after it has read a web page', async () => {
    await deny("tool.name == 'Bash' && session.calls('local/WebFetch') > 0");
    expect(await ask('Bash')).toBe('allow');
    expect(await ask('WebFetch')).toBe('allow');
    expect(await ask('Bash')).toBe('deny');
    expect(await ask('Read')).toBe('allow');
  });

  it('never allow more than their limit, even with many simultaneous calls in two processes', async () => {
    await deny("session.calls('local/*', 60) >= 5 || session.count >= 6");
    const twin = await approvals.people.gateway().startTwin();
    try {
      const body = { tool_name: 'x', arguments: {} };
      const token = approvals.owner().accessToken;
      const asked = Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0 ? check(body) : twin.call('POST', '/api/v1/agents/permission-check', { token, body }),
      );
      const decisions = (await Promise.all(asked)).map((answer) => answer.body.decision as string);
      expect(decisions.filter((decision) => decision === 'allow')).toHaveLength(5);
    } finally {
      await twin.close();
    }
  });

  it('count the calls of each session separately, and calls without a session per caller', async () => {
    await deny('session.count >= 1');
    const open = async () => {
      const source = { session_source_type: 'ci', session_source_id: randomUUID() };
      return { runtime_session_id: (await call('POST', '/runtime-sessions', source)).body.id as string };
    };
    const [one, other] = [await open(), await open()];
    expect([await ask('x', {}, one), await ask('x', {}, one), await ask('x', {}, other)]).toEqual([
      'allow',
      'deny',
      'allow',
    ]);
    const key = await approvals.addAgent();
    expect([await ask('x'), await ask('x'), await ask('x', {}, {}, key), await ask('x', {}, {}, key)]).toEqual([
      'allow',
      'deny',
      'allow',
      'deny',
    ]);
  });

  it('count only allowed calls, not denied or pending ones, and an approved call once', async () => {
    await deny('session.count < 1', 'require_approval');
    const held = (await check({ tool_name: 'x', arguments: {} })).body;
    expect([held.decision, await ask('x')]).toEqual(['pending', 'pending']);
    await approvals.decide(held.approval_request_id as string, 'approve');
    expect([await ask('x'), await ask('y')]).toEqual(['allow', 'allow']);
  });

  it('ignore calls older than a day', async () => {
    await deny('session.count >= 1');
    expect([await ask('x'), await ask('x')]).toEqual(['allow', 'deny']);
    const rows = "update policies.recent_call set made_at = made_at - interval '25 hours' where account_id = $1";
    await approvals.people.query(rows, [approvals.owner().accountId]);
    expect(await ask('x')).toBe('allow');
    const left = await approvals.people.query('select id from policies.recent_call where account_id = $1', [
      approvals.owner().accountId,
    ]);
    expect(left).toHaveLength(1);
  });

  it('record nothing for callers whose rules do not use the history', async () => {
    expect(await ask('read_file')).toBe('allow');
    const rows = await approvals.people.query('select id from policies.recent_call where account_id = $1', [
      approvals.owner().accountId,
    ]);
    expect(rows).toEqual([]);
  });
});
