import { eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
const { call, check, decide, hold, read } = approvals;
const refusal = ({ status, body }: { status: number; body: { detail?: { code?: string } } }) => [
  status,
  body.detail?.code,
];

describe('a request for an approval (APR-7)', () => {
  it('returns the call as it was requested and the decision as it was made', async () => {
    const agent = await approvals.addAgent();
    const asked = await check({ reasoning: 'The window is open.' }, { token: agent });
    const id = asked.body.approval_request_id as string;
    const pending = await read(id);
    expect(pending).toMatchObject({
      status: 'pending',
      tool_name: 'deploy',
      server: 'local',
      arguments: { version: '2.4.1' },
      summary: 'Release bot wants to call deploy',
      reasoning: 'The window is open.',
      quorum: 1,
      votes: [],
      managed_agent_id: expect.any(String),
      managed_agent_name: 'Release bot',
      rule: { source: 'policy', rule_id: 'deploys', rule_name: 'Deploys need approval' },
      policy_version: 1,
      resolved_at: null,
      actor: null,
    });
    expect(Date.parse(pending.expires_at) - Date.parse(pending.requested_at)).toBe(3_600_000);
    const { status, body } = await decide(id, 'approve', { comment: ' Go ahead. ' });
    const { id: userId, username: display } = approvals.dana();
    expect([status, body]).toEqual([
      200,
      {
        ...pending,
        status: 'approved',
        quorum_reachable: null,
        may_decide: [],
        votes: [
          { user_id: userId, display, decision: 'approve', comment: 'Go ahead.', via: 'api', at: body.resolved_at },
        ],
        actor: { kind: 'user', id: userId },
        comment: 'Go ahead.',
        resolved_at: expect.any(String) as unknown,
      },
    ]);
    expect(await read(id)).toEqual(body);
  });

  it('counts toward the limit of 1,000 pending requests per account; a decision frees a slot (LIM-53)', async () => {
    const id = await hold();
    await approvals.people.query(
      `insert into approvals.approval_request
       select (jsonb_populate_record(request, jsonb_build_object('id', gen_random_uuid(),
         'created_event_id', gen_random_uuid(), 'call_hash', '\\x' || md5(number::text)))).*
       from approvals.approval_request request, generate_series(1, 998) number where id = $1`,
      [id],
    );
    const both = await Promise.all([1, 2].map((number) => check({ arguments: { number } })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = await check({ arguments: { number: 3 } });
    expect([refused.status, refused.body.detail]).toMatchObject([409, { code: 'quota_reached', limit: 1000 }]);
    // The pending request is reused, and no second one is created.
    expect((await check()).body).toMatchObject({ decision: 'pending', approval_request_id: id });
    await decide(id, 'decline');
    expect((await check({ arguments: { number: 3 } })).body).toMatchObject({ decision: 'pending' });
  });

  it('emits one event when it is created and one when it is decided (APR-12, EVT-21, AP-1)', async () => {
    await approvals.listen();
    const id = await hold();
    const { body } = await decide(id, 'decline', { comment: 'No.' });
    const [created, decided, ...more] = await approvals.readEvents();
    expect([created?.type, decided?.type, more]).toEqual(['approval.created', 'approval.decided', []]);
    expect(created?.data).toMatchObject({ approval_request_id: id, status: 'pending', review_url: null });
    expect(decided?.data).toMatchObject({
      decision: 'declined',
      resolved_at: body.resolved_at,
      actor: { kind: 'user', id: approvals.dana().id },
      comment: 'No.',
    });
  });

  it('that was stored by an earlier version shows the same fields of its rule as other requests', async () => {
    await approvals.listen();
    const id = await hold();
    const { rule } = await read(id);
    await approvals.people.query(
      `update approvals.approval_request set rule = rule || '{"priority": null}' where id = $1`,
      [id],
    );
    expect((await read(id)).rule).toEqual(rule);
    await decide(id, 'approve');
    const decided = (await approvals.readEvents()).find(({ type }) => type === 'approval.decided');
    expect(decided?.data).toMatchObject({ rule });
    expect(Object.keys(rule)).toEqual(['source', 'rule_id', 'rule_name', 'expression']);
  });

  it('is visible only to its account (AP-10)', async () => {
    const id = await hold();
    const { accessToken: stranger } = await approvals.people.register();
    expect((await call('GET', `/approval-requests/${id}`, undefined, stranger)).status).toBe(404);
    expect((await decide(id, 'approve', {}, stranger)).status).toBe(404);
    expect((await call('POST', `/approval-requests/${id}/cancel`, {}, stranger)).status).toBe(404);
    expect((await call('GET', '/approval-requests', undefined, stranger)).body.items).toEqual([]);
  });

  it('is listed newest first, with filters', async () => {
    const [old, young] = [await hold({ arguments: 1 }), await hold({ arguments: 2 })];
    await decide(old, 'approve');
    const list = async (query: string, token?: string) =>
      (await call('GET', `/approval-requests?${query}`, undefined, token)).body.items.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list('')).toEqual([young, old]);
    expect(await list('status=approved')).toEqual([old]);
    expect(await list('status=pending')).toEqual([young]);
    expect(await list(`workflow_id=${(await read(old)).approval_workflow_id}`)).toEqual([young, old]);
    expect(await list('managed_agent_id=release-bot')).toEqual([]);
    const page = await call('GET', '/approval-requests?limit=1');
    expect(await list(`limit=1&cursor=${page.body.next_cursor}`)).toEqual([old]);
    expect(await list('mine=true', approvals.dana().token)).toEqual([young]);
    expect(await list('mine=true')).toEqual([]);
  });

  it('is returned by a long poll as soon as it is decided, in any process', async () => {
    const id = await hold();
    const twin = await approvals.people.gateway().startTwin();
    try {
      const waiting = twin.call('GET', `/api/v1/approval-requests/${id}?wait=60`, {
        token: approvals.owner().accessToken,
      });
      await decide(id, 'approve');
      expect((await waiting).body).toMatchObject({ status: 'approved' });
    } finally {
      await twin.close();
    }
  });
});

describe('waiting for a decision', () => {
  it('continues after votes that do not settle the request', async () => {
    const id = await hold();
    const waiting = call('GET', `/approval-requests/${id}?wait=30`);
    expect(refusal(await decide(id, 'approve', {}, approvals.owner().accessToken))).toEqual([403, 'self_approval']);
    await decide(id, 'approve');
    expect((await waiting).body).toMatchObject({ status: 'approved' });
  });
});

describe('deciding (APR-8)', () => {
  it('is not allowed for the person who made the call, unless the workflow allows it (AP-10)', async () => {
    const id = await hold();
    expect(refusal(await decide(id, 'approve', {}, approvals.owner().accessToken))).toEqual([403, 'self_approval']);
    const { approval_workflow_id: workflow } = await read(id);
    await call('PATCH', `/approval-workflows/${workflow}`, { allow_self_approval: true });
    expect((await decide(id, 'approve', {}, approvals.owner().accessToken)).status).toBe(200);
  });

  it('is not allowed for an agent, regardless of the owner of its key (AP-10)', async () => {
    const id = await hold();
    const agent = await approvals.addAgent();
    expect(refusal(await decide(id, 'approve', {}, agent))).toEqual([403, 'not_an_approver']);
  });

  it('is allowed for users that the workflow names, directly or by role', async () => {
    const editor = await approvals.people.add(approvals.owner().accessToken, 'editor');
    const id = await hold();
    const { approval_workflow_id: workflow } = await read(id);
    await call('PATCH', `/approval-workflows/${workflow}`, { approver_user_ids: [editor.id] });
    expect(refusal(await decide(id, 'approve'))).toEqual([403, 'not_an_approver']);
    await call('PATCH', `/approval-workflows/${workflow}`, { approver_roles: ['viewer'] });
    expect((await decide(id, 'approve')).status).toBe(200);
  });

  it('requires as many people as the quorum; repeated votes count once (AP-2)', async () => {
    const editor = await approvals.people.add(approvals.owner().accessToken, 'editor');
    await call('POST', '/approval-workflows', { name: 'two', quorum: 2, is_default: true });
    const id = await hold();
    expect((await decide(id, 'approve')).body).toMatchObject({ status: 'pending', votes: [{ decision: 'approve' }] });
    expect(refusal(await decide(id, 'approve'))).toEqual([409, 'already_voted']);
    expect((await decide(id, 'approve', {}, editor.token)).body).toMatchObject({ status: 'approved' });
    expect(refusal(await decide(id, 'decline'))).toEqual([409, 'already_resolved']);
  });

  it('ends when one person declines, even if others approved', async () => {
    const editor = await approvals.people.add(approvals.owner().accessToken, 'editor');
    await call('POST', '/approval-workflows', { name: 'two', quorum: 2, is_default: true });
    const id = await hold();
    await decide(id, 'approve');
    expect((await decide(id, 'decline', {}, editor.token)).body).toMatchObject({ status: 'declined' });
  });

  it('requires a comment if the workflow requires one', async () => {
    await call('POST', '/approval-workflows', { name: 'said', require_comment: true, is_default: true });
    const id = await hold();
    const silent = await decide(id, 'approve', { comment: '  ' });
    expect([silent.status, silent.body.detail.field]).toEqual([422, 'comment']);
    expect((await decide(id, 'approve', { comment: 'Read it.' })).status).toBe(200);
  });

  it('two hundred times simultaneously has one outcome, which is published once (AP-2)', async () => {
    await approvals.listen();
    const editor = await approvals.people.add(approvals.owner().accessToken, 'editor');
    const id = await hold();
    let unanswered = 0;
    /**
     * Decides, and tries again after a 503: a busy process responds with 503 if a caller waits too long for a
     * connection.
     */
    const vote = (index: number) =>
      eventually(async () => {
        const token = index % 2 === 0 ? editor.token : approvals.dana().token;
        const answer = await decide(id, index % 3 === 0 ? 'decline' : 'approve', {}, token);
        if (answer.status !== 503) return answer;
        unanswered += 1;
        return undefined;
      });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => vote(index)));
    const decided = answers.filter(({ status }) => status === 200).length;
    expect(decided).toBeLessThanOrEqual(1);
    expect(decided + unanswered).toBeGreaterThanOrEqual(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map((each) => refusal(each).join()))).toEqual(
      new Set(['409,already_resolved']),
    );
    const told = (await approvals.readEvents()).filter(({ type }) => type === 'approval.decided');
    const { status, votes } = await read(id);
    expect(votes).toHaveLength(1);
    expect(told.map(({ data }) => data['decision'])).toEqual([status]);
  });

  it('is refused after the expiry, in every process (APR-10, AP-4)', async () => {
    const id = await hold();
    await approvals.age(id, 3600);
    const late = await decide(id, 'approve');
    expect([...refusal(late), late.body.detail.status]).toEqual([409, 'already_resolved', 'expired']);
    expect(await read(id)).toMatchObject({ status: 'expired', actor: { kind: 'system', id: null }, votes: [] });
  });
});

describe('cancelling (APR-9)', () => {
  it('is allowed for the requester and for approvers, and is final', async () => {
    const agent = await approvals.addAgent();
    const byAgent = (await check({}, { token: agent })).body.approval_request_id as string;
    const cancel = (id: string, token: string) =>
      call('POST', `/approval-requests/${id}/cancel`, { comment: 'Not needed.' }, token);
    const other = await hold();
    expect(refusal(await cancel(other, agent))).toEqual([403, 'permission_denied']);
    expect((await cancel(byAgent, agent)).body).toMatchObject({ status: 'cancelled', comment: 'Not needed.' });
    expect((await cancel(other, approvals.dana().token)).body).toMatchObject({ status: 'cancelled' });
    expect(refusal(await cancel(other, approvals.dana().token))).toEqual([409, 'already_resolved']);
  });
});
