import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
const { call, decide, hold, read } = approvals;

describe('a request that nobody decides (APR-10)', () => {
  it('expires at its expiry time, with one event (AP-4)', async () => {
    await approvals.listen();
    const id = await hold();
    await approvals.age(id, 3600);
    const [row] = await approvals.people.query(`select expires_at from approvals.approval_request where id = $1`, [id]);
    await eventually(async () => (await approvals.readEvents()).length === 2);
    const { status, resolved_at: at, actor } = await read(id);
    expect([status, at, actor]).toEqual([
      'expired',
      (row?.['expires_at'] as Date).toISOString(),
      { kind: 'system', id: null },
    ]);
    expect((await approvals.readEvents()).at(-1)).toMatchObject({
      type: 'approval.decided',
      data: { decision: 'expired', resolved_at: at },
    });
  });

  it('is escalated to further people after the configured time, and the first ones can still decide (APR-11, AP-7)', async () => {
    const { owner, people } = approvals;
    const [editor, other] = [
      await people.add(owner().accessToken, 'editor'),
      await people.add(owner().accessToken, 'editor'),
    ];
    const workflow = {
      name: 'slow',
      approver_user_ids: [approvals.dana().id],
      escalate_after_seconds: 600,
      escalation_user_ids: [editor.id],
      is_default: true,
    };
    expect((await call('POST', '/approval-workflows', workflow)).status).toBe(201);
    const [first, second] = [await hold({ arguments: 1 }), await hold({ arguments: 2 })];
    expect((await decide(first, 'approve', {}, editor.token)).body.detail.code).toBe('not_an_approver');
    for (const id of [first, second]) await approvals.age(id, 600);
    await eventually(async () => (await read(second)).escalated_at !== null);
    await eventually(async () => (await read(first)).escalated_at !== null);
    expect((await decide(first, 'approve', {}, other.token)).body.detail.code).toBe('not_an_approver');
    expect((await decide(first, 'approve', {}, editor.token)).body).toMatchObject({ status: 'approved' });
    expect((await decide(second, 'approve')).body).toMatchObject({ status: 'approved' });
  });

  it('is cancelled with its execution; no other request is cancelled (APR-9, AP-13)', async () => {
    await approvals.listen();
    const start = async (): Promise<string> => {
      const { body: flow } = await call('POST', '/flows', {
        name: newId(),
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: { command: 'true' },
      });
      const { status, body } = await call('POST', `/flows/${flow.id}/trigger`, {});
      expect([status, body.execution_id]).toEqual([202, expect.any(String)]);
      return body.execution_id as string;
    };
    const [one, other] = [await start(), await start()];
    const waits = async (execution: string) => hold({ execution_id: execution, arguments: execution });
    const [first, second] = [await waits(one), await waits(other)];
    await approvals.people.query(
      `update flows.execution set status = 'FAILED', failure_category = 'agent_error', finished_at = now() where id = $1`,
      [one],
    );
    await eventually(async () => (await read(first)).status === 'cancelled');
    expect(await read(first)).toMatchObject({ actor: { kind: 'system' }, comment: 'The execution ended.' });
    expect(await read(second)).toMatchObject({ status: 'pending', execution_id: other });
    expect((await approvals.readEvents()).at(-1)).toMatchObject({ data: { decision: 'cancelled', execution_id: one } });
  });
});
