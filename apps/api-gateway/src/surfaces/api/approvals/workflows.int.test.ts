import { randomUUID } from 'node:crypto';
import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
const { call, check, hold, read } = approvals;
const PATH = '/approval-workflows';
const HOOK = 'http://127.0.0.1:9/approvals';
const add = async (fields: object = {}) => (await call('POST', PATH, { name: 'dba', ...fields })).body;

describe('an approval workflow (APR-1)', () => {
  it('is created with its defaults, and read back as it was returned', async () => {
    const workflow = await add();
    expect(workflow).toEqual({
      id: workflow.id,
      name: 'dba',
      description: '',
      approver_user_ids: [],
      approver_roles: [],
      quorum: 1,
      expires_seconds: 3600,
      approval_wait_seconds: 120,
      require_comment: false,
      allow_self_approval: false,
      escalate_after_seconds: null,
      escalation_user_ids: [],
      channel_configs: [],
      approval_config: { webhook_url: null },
      email: false,
      webhook_secret_hint: null,
      is_default: false,
      mode: 'human',
      ai_model_id: null,
      ai_guidelines: '',
      ai_confidence_threshold: 0.8,
      bypass: null,
      created_at: workflow.created_at,
      updated_at: workflow.created_at,
    });
    expect((await call('GET', `${PATH}/${workflow.id}`)).body).toEqual(workflow);
    expect((await call('GET', PATH)).body.items).toEqual([workflow]);
    expect((await call('GET', PATH, undefined, approvals.dana().token)).status).toBe(200);
    const { accessToken: stranger } = await approvals.people.register();
    expect((await call('GET', `${PATH}/${workflow.id}`, undefined, stranger)).status).toBe(404);
    expect((await call('POST', PATH, { name: 'x' }, approvals.dana().token)).status).toBe(403);
  });

  it('is updated with the fields that are sent', async () => {
    const { id } = await add({ quorum: 3, approver_roles: ['Editor'] });
    const { body } = await call('PATCH', `${PATH}/${id}`, { description: 'Databases', expires_seconds: 30 });
    expect(body).toMatchObject({ name: 'dba', quorum: 3, approver_roles: ['editor'], expires_seconds: 30 });
    expect((await call('PATCH', `${PATH}/${randomUUID()}`, {})).status).toBe(404);
  });

  it('is the default until another one is made the default', async () => {
    const first = await add({ is_default: true });
    const second = await add({ name: 'two', is_default: true });
    expect((await call('GET', `${PATH}/${first.id}`)).body.is_default).toBe(false);
    expect((await read(await hold())).approval_workflow_id).toBe(second.id);
  });

  it('counts toward the limit of 200 per account (LIM-52)', async () => {
    const { id } = await add();
    await approvals.people.query(
      `insert into approvals.approval_workflow
       select (jsonb_populate_record(workflow, jsonb_build_object('id', gen_random_uuid(), 'name', 'copy-' || number))).*
       from approvals.approval_workflow workflow, generate_series(1, 198) number where id = $1`,
      [id],
    );
    const both = await Promise.all(['x', 'y'].map((name) => call('POST', PATH, { name })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = await call('POST', PATH, { name: 'z' });
    expect([refused.status, refused.body.detail]).toMatchObject([409, { code: 'quota_reached', limit: 200 }]);
    const { accessToken: stranger } = await approvals.people.register();
    expect((await call('POST', PATH, { name: 'z' }, stranger)).status).toBe(201);
  });

  it('is created with the first call that requires it, if none exists (APR-4)', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => hold({ arguments: index })));
    const workflows = await Promise.all(ids.map(async (id) => (await read(id)).approval_workflow_id));
    expect(new Set(workflows).size).toBe(1);
    expect((await call('GET', PATH)).body.items).toMatchObject([{ name: 'default', is_default: true }]);
  });

  it.each<[string, object, string]>([
    ['without a name', { name: ' ' }, 'name'],
    ['with a quorum of zero', { quorum: 0 }, 'quorum'],
    ['with a user that does not exist', { approver_user_ids: [randomUUID()] }, 'approver_user_ids'],
    ['with a role that does not exist', { approver_roles: ['cook'] }, 'approver_roles'],
    ['with a role that cannot decide', { approver_roles: ['tracker_manager'] }, 'approver_roles'],
    ['that escalates to nobody', { escalate_after_seconds: 60 }, 'escalation_user_ids'],
    ['that expires immediately', { expires_seconds: 29 }, 'expires_seconds'],
    ['with an unknown channel', { channel_configs: [{ kind: 'pigeon', url: HOOK }] }, 'channel_configs.0.kind'],
    ['with a channel without an address', { channel_configs: [{ kind: 'webhook' }] }, 'channel_configs'],
    ['with an invalid address', { channel_configs: [{ kind: 'webhook', url: 'ftp://x' }] }, 'url'],
    ['with an unknown field', { colour: 'red' }, 'colour'],
  ])('%s is refused', async (_what, fields, field) => {
    const answer = await call('POST', PATH, { name: 'dba', ...fields });
    expect([answer.status, answer.body.detail?.field]).toEqual([422, field]);
    expect((await call('GET', PATH)).body.items).toEqual([]);
  });

  it('is refused with a quorum that its approvers can never reach, when created and when updated', async () => {
    const approver_user_ids = [approvals.dana().id];
    expect((await call('POST', PATH, { name: 'dba', approver_user_ids, quorum: 2 })).body.detail.field).toBe('quorum');
    const { id } = await add({ quorum: 2 });
    expect((await call('PATCH', `${PATH}/${id}`, { approver_user_ids })).status).toBe(422);
    await call('PATCH', `/users/${approvals.dana().id}`, { is_active: false });
    const inactive = await call('PATCH', `${PATH}/${id}`, { quorum: 1, approver_user_ids });
    expect(inactive.body.detail.field).toBe('approver_user_ids');
  });

  it('has a unique name', async () => {
    const first = await add();
    const second = await add({ name: 'two' });
    const taken = await call('POST', PATH, { name: 'dba' });
    expect([taken.status, taken.body.detail.field]).toEqual([409, 'name']);
    expect((await call('PATCH', `${PATH}/${second.id}`, { name: 'dba' })).status).toBe(409);
    expect((await call('PATCH', `${PATH}/${first.id}`, { name: 'dba' })).status).toBe(200);
  });

  it('can be deleted when nothing is pending; its decisions remain readable', async () => {
    await add({ is_default: true });
    const id = await hold();
    const { approval_workflow_id: workflow } = await read(id);
    expect((await call('DELETE', `${PATH}/${workflow}`)).status).toBe(409);
    await approvals.decide(id, 'decline');
    expect((await call('DELETE', `${PATH}/${workflow}`)).status).toBe(204);
    expect((await call('DELETE', `${PATH}/${workflow}`)).status).toBe(404);
    expect(await read(id)).toMatchObject({ status: 'declined', approval_workflow_id: workflow });
  });
});

describe('the receivers of a workflow (APR-2)', () => {
  const channel_configs = [{ kind: 'webhook', url: HOOK }];

  it('share a secret that is returned once, on creation (AP-9)', async () => {
    const made = await add({ channel_configs });
    expect(made).toMatchObject({ channel_configs, webhook_secret: expect.stringMatching(/^whsec_/) as unknown });
    expect(made.webhook_secret.endsWith(made.webhook_secret_hint.replace(/^\W+/, ''))).toBe(true);
    const read = (await call('GET', `${PATH}/${made.id}`)).body;
    expect([read.webhook_secret, read.webhook_secret_hint]).toEqual([undefined, made.webhook_secret_hint]);
    const again = (
      await call('PATCH', `${PATH}/${made.id}`, { channel_configs, approval_config: { webhook_url: `${HOOK}/2` } })
    ).body;
    expect([again.webhook_secret, again.webhook_secret_hint]).toEqual([undefined, made.webhook_secret_hint]);
    expect(again.approval_config).toEqual({ webhook_url: `${HOOK}/2` });
  });

  it('get a secret when the first of them is added, and a new one on request (AP-9)', async () => {
    const { id } = await add();
    const rotate = () => call('POST', `${PATH}/${id}/webhook-secret/rotate`);
    const none = await rotate();
    expect([none.status, none.body.detail.code]).toEqual([409, 'no_webhook']);
    const first = (await call('PATCH', `${PATH}/${id}`, { channel_configs: [{ kind: 'webhook', webhook_url: HOOK }] }))
      .body;
    const second = (await rotate()).body;
    expect(second.webhook_secret).not.toBe(first.webhook_secret);
    expect((await call('GET', `${PATH}/${id}`)).body.webhook_secret_hint).toBe(second.webhook_secret_hint);
    expect((await call('POST', `${PATH}/${randomUUID()}/webhook-secret/rotate`)).status).toBe(404);
  });

  it('accept a secret from the client, which is returned only in the first response', async () => {
    const webhook_secret = 'chosen by a client, long enough';
    const made = await add({ approval_config: { webhook_url: HOOK, webhook_secret } });
    expect(made.webhook_secret).toBe(webhook_secret);
    expect(JSON.stringify((await call('GET', PATH)).body)).not.toContain('chosen');
    expect(
      await approvals.people
        .query(`select * from approvals.approval_workflow where account_id = $1`, [approvals.owner().accountId])
        .then(JSON.stringify),
    ).not.toContain('chosen');
  });

  it('receive their requests in addition to subscribed endpoints', async () => {
    await add({ channel_configs, is_default: true });
    await hold();
    const { items } = (await call('GET', '/event-webhooks/deliveries')).body;
    expect(items).toMatchObject([{ event_type: 'approval.created' }]);
  });
});

describe('the bypass of a workflow (APR-3)', () => {
  it('approves new requests while it is active, and is recorded as such', async () => {
    await approvals.listen();
    const { id } = await add({ is_default: true });
    const waiting = await hold({ arguments: 'before' });
    const begun = await call('POST', `${PATH}/${id}/bypass`, { minutes: 30, reason: 'Incident 42' });
    expect(begun.body.bypass).toMatchObject({ reason: 'Incident 42', user_id: approvals.owner().userId });
    const answer = (await check()).body;
    expect(answer).toMatchObject({ decision: 'allow' });
    const actor = { kind: 'bypass', id: approvals.owner().userId, reason: 'Incident 42' };
    expect(await read(answer.approval_request_id)).toMatchObject({ status: 'approved', actor, votes: [] });
    expect((await approvals.readEvents()).at(-1)).toMatchObject({ type: 'approval.decided', data: { actor } });
    expect(await read(waiting)).toMatchObject({ status: 'pending' });
    expect((await call('DELETE', `${PATH}/${id}/bypass`)).status).toBe(204);
    expect((await check()).body).toMatchObject({ decision: 'pending' });
  });

  it('ends at its set time', async () => {
    const { id } = await add({ is_default: true });
    await call('POST', `${PATH}/${id}/bypass`, { minutes: 1, reason: 'Short' });
    await approvals.people.query(`update approvals.approval_workflow set bypass_until = now() where id = $1`, [id]);
    expect((await check()).body).toMatchObject({ decision: 'pending' });
    expect((await call('GET', `${PATH}/${id}`)).body.bypass).toBeNull();
  });

  it.each<[object, string]>([
    [{ minutes: 0, reason: 'x' }, 'minutes'],
    [{ minutes: 241, reason: 'x' }, 'minutes'],
    [{ minutes: 5, reason: ' ' }, 'reason'],
    [{ minutes: 5 }, 'reason'],
  ])('%j is refused', async (body, field) => {
    const { id } = await add();
    const answer = await call('POST', `${PATH}/${id}/bypass`, body);
    expect([answer.status, answer.body.detail.field]).toEqual([422, field]);
  });
});
