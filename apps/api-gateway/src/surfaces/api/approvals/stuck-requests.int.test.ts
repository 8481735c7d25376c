import { eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
const { call, check, decide, hold, read } = approvals;

const addPerson = () => approvals.people.add(approvals.owner().accessToken, 'editor');
const makeWorkflow = async (fields: object): Promise<string> =>
  (await call('POST', '/approval-workflows', { name: 'w', is_default: true, ...fields })).body.id as string;

describe('a quorum that has become unreachable (APR-24)', () => {
  it('is reported by the request, the list of requests and the next call', async () => {
    const [dana, kim] = [approvals.dana(), await addPerson()];
    const [danaId, kimId] = [dana.id, kim.id];
    await makeWorkflow({ approver_user_ids: [danaId, kimId], quorum: 2 });
    const id = await hold();
    expect(await read(id)).toMatchObject({
      quorum_reachable: true,
      stuck_reason: null,
      may_decide: [dana.username, kim.username],
    });
    await decide(id, 'approve');
    expect(await read(id)).toMatchObject({ quorum_reachable: true, may_decide: [kim.username] });
    await call('PATCH', `/users/${kimId}`, { is_active: false });
    const stuck = { status: 'pending', quorum_reachable: false, may_decide: [] };
    const request = await read(id);
    expect(request).toMatchObject(stuck);
    expect(request.stuck_reason).toMatch(
      /^It cannot be approved .* 1 of 2 approvals is missing, and nobody may decide on it\..*"w".* lower its quorum/,
    );
    expect((await call('GET', '/approval-requests?status=pending')).body.items).toMatchObject([stuck]);
    const { body } = await check({ arguments: { version: 'next' } });
    expect(body.reason).toMatch(/2 of 2 approvals are missing, and only 1 more person may decide/);
    // The request is no longer reported once there is an approver again.
    await call('PATCH', `/users/${kimId}`, { is_active: true });
    expect(await read(id)).toMatchObject({ quorum_reachable: true, stuck_reason: null, may_decide: [kim.username] });
  });

  it.each<[string, () => Promise<void>]>([
    [
      'a role that no longer has members',
      async () => void (await call('PATCH', `/users/${approvals.dana().id}`, { role: 'editor' })),
    ],
    [
      'a role that can no longer decide',
      async () => void (await call('PATCH', `/users/${approvals.dana().id}`, { role: 'tracker_manager' })),
    ],
  ])('is detected after %s', async (_what, change) => {
    await makeWorkflow({ approver_roles: ['viewer'] });
    const id = await hold();
    expect(await read(id)).toMatchObject({ quorum_reachable: true, may_decide: [approvals.dana().username] });
    await change();
    expect(await read(id)).toMatchObject({ quorum_reachable: false, may_decide: [] });
  });

  it('is calculated including the people of a later escalation', async () => {
    const kim = await addPerson();
    const ids = [approvals.dana().id, kim.id];
    await makeWorkflow({
      approver_user_ids: [ids[0]],
      escalation_user_ids: [ids[1]],
      escalate_after_seconds: 60,
      quorum: 2,
    });
    const id = await hold();
    await decide(id, 'approve');
    expect(await read(id)).toMatchObject({ quorum_reachable: true, may_decide: [kim.username] });
  });

  it('is not reported for a decided request', async () => {
    const id = await hold();
    await decide(id, 'approve');
    expect(await read(id)).toMatchObject({ quorum_reachable: null, stuck_reason: null, may_decide: [] });
  });
});

describe('a changed quorum (APR-25)', () => {
  it('approves the requests that have enough approvals once it is lowered, each only once, regardless of who approved last', async () => {
    await approvals.listen();
    const [dana, kim] = [approvals.dana(), await addPerson()];
    const workflow = await makeWorkflow({ quorum: 3 });
    await addPerson();
    const [enough, short] = [await hold(), await hold({ arguments: { version: 'other' } })];
    await decide(enough, 'approve');
    await decide(enough, 'approve', { comment: 'Fine.' }, kim.token);
    await decide(short, 'approve', {}, dana.token);
    await call('PATCH', `/approval-workflows/${workflow}`, { quorum: 2 });
    await eventually(async () => (await read(enough)).status === 'approved');
    expect(await read(enough)).toMatchObject({ comment: 'Fine.', actor: { kind: 'user', id: kim.id } });
    expect(await read(short)).toMatchObject({ status: 'pending', quorum: 2 });
    expect((await check()).body).toMatchObject({ decision: 'allow', approval_request_id: enough });
    const told = (await approvals.readEvents()).filter(({ type }) => type === 'approval.decided');
    expect(told).toHaveLength(1);
    // The next vote uses the current quorum, too.
    await decide(short, 'approve', {}, kim.token);
    expect(await read(short)).toMatchObject({ status: 'approved' });
  });

  it('does not apply to pending requests when it is raised', async () => {
    const workflow = await makeWorkflow({ quorum: 1 });
    const id = await hold();
    await addPerson();
    await call('PATCH', `/approval-workflows/${workflow}`, { quorum: 2 });
    expect(await read(id)).toMatchObject({ quorum: 1 });
    await decide(id, 'approve');
    expect(await read(id)).toMatchObject({ status: 'approved' });
  });
});

describe('the first approval in an account with one person (APR-24)', () => {
  it('explains how that person can decide, in every interface', async () => {
    await call('PATCH', `/users/${approvals.dana().id}`, { is_active: false });
    const { body } = await check();
    expect(body.reason).toMatch(
      /Deploys need approval\. It cannot be approved .*nobody may decide.*the workflow "default" sets "allow_self_approval"/,
    );
    const id = body.approval_request_id as string;
    expect(await read(id)).toMatchObject({ quorum_reachable: false, may_decide: [] });
    const refused = await decide(id, 'approve', {}, approvals.owner().accessToken);
    expect([refused.status, refused.body.detail]).toMatchObject([
      403,
      {
        code: 'self_approval',
        setting: 'allow_self_approval',
        may_decide: [],
        message: expect.stringMatching(/allow_self_approval/),
      },
    ]);
    const { items } = (await call('GET', '/approval-workflows')).body;
    await call('PATCH', `/approval-workflows/${items[0].id}`, { allow_self_approval: true });
    expect(await read(id)).toMatchObject({ quorum_reachable: true, may_decide: [approvals.owner().username] });
    expect((await decide(id, 'approve', {}, approvals.owner().accessToken)).body.status).toBe('approved');
  });

  it('names users who may decide, if there are any', async () => {
    const { body } = await check();
    expect(body.reason).toBe(`Waiting for approval: Deploys need approval. ${approvals.dana().username} may decide.`);
    const refused = await decide(body.approval_request_id, 'approve', {}, approvals.owner().accessToken);
    expect(refused.body.detail).toMatchObject({ code: 'self_approval', may_decide: [approvals.dana().username] });
  });
});
