import { randomUUID } from 'node:crypto';
import { forgetRequestsOfSession } from '@steward/approvals';
import { purgeDeletedSession } from '@steward/sessions';
import { eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';
import { findInDatabase } from '../../../testing/find-in-database.ts';
import { useSweeperRole } from '../../../testing/use-sweeper-role.ts';

const role = useSweeperRole(() => approvals.people.gateway());
const approvals = useApprovals({ MAIL_FROM: 'steward@example.test', PUBLIC_URL: 'https://steward.example.test' });
const { call, decide, dana, hold, listen, read } = approvals;
const ROOM = 'http://127.0.0.1:9/rooms/deploys';

async function openSession(): Promise<string> {
  const source = { session_source_type: 'ci', session_source_id: randomUUID() };
  return (await call('POST', '/runtime-sessions', source)).body.id as string;
}

async function deleteSession(id: string): Promise<void> {
  expect((await call('DELETE', `/runtime-sessions/${id}`)).status).toBe(204);
  while ((await purgeDeletedSession(role.sweeper().db, [forgetRequestsOfSession])) !== undefined);
}

const ofSession = (runtime_session_id: string, text: string) => ({
  runtime_session_id,
  arguments: { text },
  reasoning: `because ${text}`,
});

describe('requests of a deleted session (APR-18, EVT-18)', () => {
  beforeEach(async () => {
    await call('POST', '/approval-workflows', {
      name: 'told',
      channel_configs: [{ kind: 'slack', url: ROOM }],
      is_default: true,
    });
    await listen();
  });

  it('retain who decided what, but nothing of the session’s content in any table', async () => {
    const word = 'wombatgamma';
    const session = await openSession();
    const id = await hold(ofSession(session, word));
    expect((await decide(id, 'decline', { comment: `no ${word}` })).status).toBe(200);
    const said = JSON.stringify({ decision: null, confidence: null, reason: word });
    await approvals.people.query('update approvals.approval_request set ai = $2 where id = $1', [id, said]);
    expect((await findInDatabase(approvals.people.gateway().database.url, word)).length).toBeGreaterThan(2);
    await deleteSession(session);

    expect(await findInDatabase(approvals.people.gateway().database.url, word)).toEqual([]);
    expect(
      (await findInDatabase(approvals.people.gateway().database.url, session)).filter(
        (table) => table !== 'gateway.audit_log',
      ),
    ).toEqual([]);
    const gone = { truncated: true, reason: 'The session was deleted.' };
    expect(await read(id)).toMatchObject({
      status: 'declined',
      tool_name: 'deploy',
      arguments: gone,
      reasoning: null,
      comment: null,
      runtime_session_id: null,
      votes: [{ user_id: dana().id, decision: 'decline', comment: null }],
    });
    const told = await approvals.people.query(
      `select distinct type, convert_from(body, 'utf8') as text from webhooks.event where account_id = $1 order by 1, 2`,
      [approvals.owner().accountId],
    );
    expect(told).toEqual([
      { type: 'approval.created', text: expect.stringContaining(`"data":${JSON.stringify(gone)}`) as unknown },
      { type: 'approval.decided', text: expect.stringContaining(`"data":${JSON.stringify(gone)}`) as unknown },
      { type: 'approval.mail', text: '' },
      { type: 'approval.message', text: JSON.stringify({ text: gone.reason }) },
    ]);
  });

  it('expire if they are still pending, even if there is more than one batch of them', async () => {
    const session = await openSession();
    const ids: string[] = [];
    for (let index = 0; index < 60; index += 1) ids.push(await hold(ofSession(session, `text ${index}`)));
    const other = await hold({ arguments: { text: 'of no session' } });
    await deleteSession(session);
    expect((await decide(ids[0] ?? '', 'approve')).body).toMatchObject({ detail: { code: 'already_resolved' } });
    expect(await read(other)).toMatchObject({ status: 'pending', arguments: { text: 'of no session' } });
    for (const id of ids) await eventually(async () => (await read(id)).status === 'expired');
  });
});
