import { randomUUID } from 'node:crypto';
import { eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
const { check, decide, hold, read } = approvals;

describe('checking whether a tool may be called (APR-5)', () => {
  it('allows calls that no rule restricts', async () => {
    expect((await check({ tool_name: 'read_file' })).body).toEqual({
      decision: 'allow',
      reason: expect.stringMatching(/./) as unknown,
      rule: null,
      condition_error: null,
      approval_request_id: null,
      expires_at: null,
      operator_notes: [],
      poll_after_seconds: null,
    });
  });

  it('denies a call according to a rule, and reports the denial once per request id, without arguments (PO-1)', async () => {
    await approvals.listen();
    const headers = { 'X-Request-Id': `repeat-${randomUUID()}` };
    const ask = () => check({ tool_name: 'drop', server: 'db', arguments: { table: 'canary' } }, { headers });
    const { body } = await ask();
    const rule = { version: 1, id: 'no-drop', description: 'Nobody drops tables' };
    expect(body).toMatchObject({ decision: 'deny', reason: rule.description, rule, approval_request_id: null });
    await ask();
    await check({ tool_name: 'drop', server: 'db' });
    const events = await approvals.readEvents();
    expect(events.map(({ type }) => type)).toEqual(['policy.denied', 'policy.denied']);
    expect(events[0]?.data).toEqual({
      tool_name: 'drop',
      decision: 'deny',
      rule_description: rule.description,
      condition_matched: null,
      execution_id: null,
      user_id: approvals.owner().userId,
      correlation_id: headers['X-Request-Id'],
      policy_version: 1,
    });
    expect(JSON.stringify(events)).not.toContain('canary');
  });

  it.each([
    ['deny', 'deny'],
    ['require_approval', 'pending'],
  ])(
    'reports the error of a failed condition, if the failed condition counts as true: %s (POL-6)',
    async (action, decision) => {
      const condition = "args.path.startsWith('/etc')";
      const rules = [{ id: 'etc', description: 'Not there', condition, action }];
      await approvals.apply(JSON.stringify({ version: '1', rules }));
      expect((await check({ arguments: {} })).body).toMatchObject({
        decision,
        rule: { id: 'etc' },
        condition_error: expect.stringContaining('path') as unknown,
      });
      expect((await check({ arguments: { path: '/etc/x' } })).body).toMatchObject({ decision, condition_error: null });
      expect((await check({ arguments: { path: '/srv' } })).body).toMatchObject({
        decision: 'allow',
        condition_error: null,
      });
    },
  );

  it('uses the kind of the agent to which the key is bound', async () => {
    await approvals.apply(
      'version: "1"\nrules:\n  - { id: kind, description: Not by it, match: { agent_kinds: [claude_code] }, action: deny }\n',
    );
    const addKey = async (type: string): Promise<string> => {
      const runtime_principal = { type, id: 'a-1' };
      return (await approvals.call('POST', '/auth/api-keys', { name: 'k', runtime_principal })).body.key as string;
    };
    expect((await check({}, { token: await addKey('claude_code') })).body.decision).toBe('deny');
    expect((await check({}, { token: await addKey('codex') })).body.decision).toBe('allow');
  });

  it('holds a call; the same call joins its request, uses the approval, and is checked again after that', async () => {
    await approvals.listen();
    const first = (await check({ reasoning: 'The window is open.' })).body;
    expect(first).toMatchObject({
      decision: 'pending',
      rule: { id: 'deploys' },
      poll_after_seconds: 5,
      expires_at: expect.any(String) as unknown,
    });
    const id = first.approval_request_id as string;
    expect((await check({ arguments: { version: '2.4.1' }, reasoning: 'Again.' })).body).toEqual(first);
    expect((await check({ arguments: { version: '2.4.2' } })).body.approval_request_id).not.toBe(id);
    await decide(id, 'approve');
    expect((await check()).body).toMatchObject({ decision: 'allow', approval_request_id: id, expires_at: null });
    const next = (await check()).body;
    expect([next.decision, next.approval_request_id === id]).toEqual(['pending', false]);
    const ofFirst = (await approvals.readEvents()).filter(({ data }) => data['approval_request_id'] === id);
    expect(ofFirst.map(({ type }) => type)).toEqual(['approval.created', 'approval.decided']);
  });

  it('applies an approval of a shell command to the command, however it is described (APR-20)', async () => {
    await approvals.apply(
      'version: "1"\nrules:\n  - { id: b, description: Asks, match: { tools: [local/Bash] }, action: require_approval }\n',
    );
    const bash = (more: object) => ({ tool_name: 'Bash', arguments: { command: 'make deploy', ...more } });
    const id = await hold(bash({ description: 'Deploy to production' }));
    expect(await hold(bash({ description: 'Deploy it', timeout: 120_000 }))).toBe(id);
    await decide(id, 'approve');
    for (const more of [{ run_in_background: true }, { dangerouslyDisableSandbox: true }]) {
      expect(await hold(bash({ description: 'Deploy it', ...more }))).not.toBe(id);
    }
    expect((await check(bash({ description: 'Once more' }))).body).toMatchObject({
      decision: 'allow',
      approval_request_id: id,
    });
  });

  it('reports a declined request for a minute, and asks people again after that', async () => {
    const id = await hold();
    await decide(id, 'decline', { comment: 'Not on a Friday.' });
    for (let times = 0; times < 2; times += 1) {
      expect((await check()).body).toMatchObject({
        decision: 'deny',
        reason: 'The request was declined: Not on a Friday.',
        approval_request_id: id,
      });
    }
    await approvals.age(id, 61);
    expect(await hold()).not.toBe(id);
  });

  it('lets an approval expire if no call uses it within 15 minutes', async () => {
    const id = await hold();
    await decide(id, 'approve');
    await approvals.age(id, 15 * 60);
    expect(await hold()).not.toBe(id);
  });

  /** Sends the number exactly as the caller wrote it. */
  const askWritten = (id: string) =>
    approvals.people.gateway().call('POST', '/api/v1/agents/permission-check', {
      token: approvals.owner().accessToken,
      body: `{"tool_name": "deploy", "arguments": {"id": ${id}}}`,
      headers: { 'Content-Type': 'application/json' },
    });

  it('distinguishes numbers by their notation, even if they parse to the same value (APR-6, TOOL-23)', async () => {
    const first = (await askWritten('1917043659912705297')).body;
    expect(first).toMatchObject({ decision: 'pending' });
    await decide(first.approval_request_id, 'approve');
    const neighbour = (await askWritten('1917043659912705298')).body;
    expect(neighbour.decision).toBe('pending');
    expect(neighbour.approval_request_id).not.toBe(first.approval_request_id);
    expect((await askWritten('1917043659912705297')).body).toMatchObject({
      decision: 'allow',
      approval_request_id: first.approval_request_id,
    });
    const { body } = await approvals.call('GET', `/approval-requests/${neighbour.approval_request_id}`);
    expect(JSON.stringify(body)).toContain('1917043659912705298');
  });

  it('evaluates conditions with the exact integer of the call (POL-26)', async () => {
    const condition = 'args.id == 1917043659912705297';
    await approvals.apply(
      JSON.stringify({ version: '1', rules: [{ id: 'one', description: 'x', condition, action: 'deny' }] }),
    );
    const decided = await Promise.all(
      ['1917043659912705297', '1917043659912705296', '1917043659912705298', '1'].map(askWritten),
    );
    expect(decided.map(({ body }) => body.decision)).toEqual(['deny', 'allow', 'allow', 'allow']);
    expect((await askWritten('1e400')).body).toMatchObject({ decision: 'deny', condition_error: expect.anything() });
  });

  it('accepts an approval only for the caller that requested it', async () => {
    const id = await hold();
    await decide(id, 'approve');
    const agent = await approvals.addAgent();
    expect((await check({}, { token: agent })).body).toMatchObject({ decision: 'pending' });
    expect((await check()).body).toMatchObject({ decision: 'allow', approval_request_id: id });
  });

  it('waits for the outcome as long as requested', async () => {
    const [yes, no] = [{ arguments: 'yes' }, { arguments: 'no' }];
    const ids = [await hold(yes), await hold(no)];
    const answers = [check({ ...yes, wait_seconds: 60 }), check({ ...no, wait_seconds: 60 })];
    await decide(ids[0] as string, 'approve');
    await decide(ids[1] as string, 'decline');
    const bodies = (await Promise.all(answers)).map(({ body }) => body);
    expect(bodies).toMatchObject([
      { decision: 'allow', approval_request_id: ids[0] },
      { decision: 'deny', approval_request_id: ids[1] },
    ]);
    expect((await check({ arguments: 'never decided', wait_seconds: 1 })).body.decision).toBe('pending');
  });

  it('denies a request that expired during a wait, and does not ask people again', async () => {
    const answer = check({ wait_seconds: 60 });
    const pending = async () => (await approvals.call('GET', '/approval-requests')).body.items[0];
    await eventually(async () => (await pending()) !== undefined);
    const { id } = await pending();
    await approvals.age(id, 3600);
    expect((await answer).body).toMatchObject({ decision: 'deny', reason: 'The request was expired.' });
    expect((await approvals.call('GET', '/approval-requests')).body.items).toHaveLength(1);
  });

  it('does not use up an approval if the caller has disconnected', async () => {
    const gone = new AbortController();
    const { gateway } = approvals.people;
    const body = JSON.stringify({ tool_name: 'deploy', arguments: {}, wait_seconds: 60 });
    const headers = { authorization: `Bearer ${approvals.owner().accessToken}`, 'content-type': 'application/json' };
    const url = `${gateway().url}/api/v1/agents/permission-check`;
    const answer = fetch(url, { method: 'POST', body, headers, signal: gone.signal }).catch((error: unknown) => error);
    const pending = async () => (await approvals.call('GET', '/approval-requests')).body.items[0];
    await eventually(async () => (await pending()) !== undefined);
    const { id } = await pending();
    gone.abort();
    await answer;
    // When a later request on the same connection pool is answered, the server has noticed the disconnect.
    await decide(id, 'approve');
    expect((await check({ arguments: {} })).body).toMatchObject({ decision: 'allow', approval_request_id: id });
  });

  it('shows people the arguments without credentials, and events without any arguments', async () => {
    await approvals.listen();
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const id = await hold({ arguments: { token: secret, note: 'canary' }, reasoning: `With ${secret}.` });
    const request = await read(id);
    expect(request.arguments.note).toBe('canary');
    expect(JSON.stringify(request)).not.toContain(secret);
    expect(JSON.stringify(await approvals.readEvents())).not.toMatch(/canary|ghp_/);
    const [row] = await approvals.people.query(
      `select r::text as text from approvals.approval_request r where id = $1`,
      [id],
    );
    expect(row?.['text']).not.toContain(secret);
  });

  it.each<[string, object, number, string]>([
    ['without a tool name', { tool_name: '' }, 422, 'tool_name'],
    ['with an unknown field', { tool: 'x' }, 422, 'tool'],
    ['with a wait beyond the limit', { wait_seconds: 301 }, 422, 'wait_seconds'],
    ['of an unknown session', { runtime_session_id: randomUUID() }, 404, 'runtime_session_id'],
    ['of an unknown execution', { execution_id: randomUUID() }, 404, 'execution_id'],
  ])('a check %s is refused', async (_what, fields, status, field) => {
    const answer = await check(fields);
    expect([answer.status, answer.body.detail.field]).toEqual([status, field]);
  });

  it('requires a credential with write access to sessions', async () => {
    expect((await check({}, { token: approvals.dana().token })).status).toBe(403);
  });
});
