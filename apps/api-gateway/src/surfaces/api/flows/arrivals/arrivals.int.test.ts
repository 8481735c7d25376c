import { createHmac } from 'node:crypto';
import { newId } from '@steward/crypto';
import { useFlows } from '../../../../testing/flow-tests.ts';

const { admin, countExecutions, create, createHook, gateway, token, viewer } = useFlows();

const github = (event: string, body: object, delivery: string = newId()) => ({
  body,
  headers: { 'x-github-event': event, 'x-github-delivery': delivery, 'x-extra': 'told', authorization: 'Bearer x' },
});
const opened = { action: 'opened', pull_request: { draft: false }, token: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' };
const list = async (flowId: string, query = '', as = token()) =>
  gateway().call('GET', `/api/v1/flows/${flowId}/arrivals${query}`, { token: as });
const items = async (flowId: string) => (await list(flowId)).body.items as Record<string, unknown>[];
const sendAgain = (flowId: string, arrivalId: unknown, as = token()) =>
  gateway().call('POST', `/api/v1/flows/${flowId}/arrivals/${String(arrivalId)}/send-again`, { token: as });
const change = (flowId: string, webhook: object) =>
  gateway().call('PATCH', `/api/v1/flows/${flowId}`, { token: token(), body: { webhook_config: webhook } });

describe('the source rules of a flow', () => {
  it.each([
    ['the name of the event', { event_types: ['pull_request'] }, 'accepted', null],
    ['the name with its action', { event_types: ['push', 'pull_request.opened'] }, 'accepted', null],
    [
      'another action',
      { event_types: ['pull_request.closed'] },
      'ignored',
      'the event is pull_request.opened, event_types has pull_request.closed',
    ],
    ['a filter that is true', { filter: 'payload.pull_request.draft == false' }, 'accepted', null],
    ['a filter that is false', { filter: 'payload.pull_request.draft' }, 'ignored', 'the filter evaluated to false'],
    ['a filter that fails', { filter: 'payload.issue.number > 3' }, 'ignored', /^the filter failed: /],
  ] as const)('%s (FLOW-53, FLOW-54, FLOW-57)', async (_what, options, outcome, reason) => {
    const hook = await createHook({ webhook_config: { source: 'github', ...options } });
    const { status, body } = await gateway().call('POST', hook.url, github('pull_request', opened));
    expect([status, body.status]).toEqual([202, outcome]);
    expect(await countExecutions(hook.id)).toBe(outcome === 'accepted' ? 1 : 0);
    const [arrival] = await items(hook.id);
    expect(arrival).toMatchObject({ outcome, execution_id: body.execution_id ?? null });
    if (typeof reason === 'string' || reason === null) expect(arrival?.reason).toBe(reason);
    else expect(arrival?.reason).toMatch(reason);
  });

  it('provide event, action, delivery and selected headers to the prompt (FLOW-52)', async () => {
    const hook = await createHook({ webhook_config: { source: 'github', headers: ['X-Extra'] } });
    const { body } = await gateway().call('POST', hook.url, github('pull_request', opened, 'd-1'));
    const read = await gateway().call('GET', `/api/v1/flows/executions/${body.execution_id}`, { token: token() });
    expect(read.body.trigger_event_details).toMatchObject({
      type: 'webhook',
      source: {
        name: 'github',
        event: 'pull_request',
        action: 'opened',
        delivery_id: 'd-1',
        headers: { 'x-github-event': 'pull_request', 'x-github-delivery': 'd-1', 'x-extra': 'told' },
      },
    });
  });

  it('truncate long values, and report the error in malformed bodies (FLOW-53)', async () => {
    const hook = await createHook({ webhook_config: { source: 'slack', event_types: ['message'] } });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = async (body: unknown, headers = {}) => gateway().call('POST', hook.url, { body, headers });
    const long = await post({ type: 'x'.repeat(100_000) });
    expect([long.status, long.body.reason.length < 400, long.body.event.length]).toEqual([202, true, 300]);
    const odd: [unknown, object, number][] = [
      ['payload=%7B', form, 400],
      ['payload=', form, 400],
      ['payload=[1]', form, 422],
      ['%ff%00=%zz&__proto__=1', form, 202],
      ['', form, 202],
      [`payload=${'['.repeat(5_000)}`, form, 400],
      ['{}', { 'content-type': 'text/plain' }, 415],
      ['[]', { 'content-type': 'application/json' }, 422],
      [String.raw`{"type":"\u0000\ud800","event":{"type":5}}`, { 'content-type': 'application/json' }, 202],
    ];
    for (const [body, headers, status] of odd)
      expect([body, (await post(body, headers)).status]).toEqual([body, status]);
  });

  it('are validated when they are saved (FLOW-51, FLOW-54)', async () => {
    const refused = async (webhook: object) => {
      const { status, body } = await create({ trigger: 'webhook', webhook_config: webhook });
      return [status, body.detail.field];
    };
    const wrong: [object, string][] = [
      [{ event_types: ['push'] }, 'webhook_config.event_types'],
      [{ source: 'generic', event_types: ['push'] }, 'webhook_config.event_types'],
      [{ source: 'github', filter: 'payload.' }, 'webhook_config.filter'],
      [{ source: 'github', headers: ['Authorization'] }, 'webhook_config.headers.0'],
      [{ source: 'github', headers: ['ok', 'X-Hub-Signature-256'] }, 'webhook_config.headers.1'],
      [{ source: 'generic', signing_secrets: ['abc'] }, 'webhook_config.signing_secrets.0'],
      [{ source: 'sns', signing_secrets: ['abc'] }, 'webhook_config.signing_secrets.0'],
      [{ source: 'standard_webhooks', signing_secrets: ['?'] }, 'webhook_config.signing_secrets.0'],
      [{ source: 'github', signing_secrets: ['[hidden]'] }, 'webhook_config.signing_secrets.0'],
    ];
    for (const [webhook, field] of wrong) expect(await refused(webhook)).toEqual([422, field]);
    expect((await refused({ source: 'myspace' }))[0]).toBe(422);
  });
});

describe('the signing secrets of a flow (FLOW-51)', () => {
  const sign = (secret: string) => {
    const text = JSON.stringify({ a: newId() });
    const signature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    return { body: text, headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature } };
  };

  it('are never returned, and are stored encrypted', async () => {
    const hook = await createHook({ webhook_config: { source: 'github', signing_secrets: ['a secret of mine'] } });
    const read = await gateway().call('GET', `/api/v1/flows/${hook.id}`, { token: token() });
    expect(read.body.webhook_config.signing_secrets).toEqual(['[hidden]']);
    const { rows } = await admin().query('select * from flows.flow where id = $1', [hook.id]);
    expect(JSON.stringify(rows)).not.toContain('a secret of mine');
  });

  it('are rotated by position, retained if omitted, and removed if null', async () => {
    const hook = await createHook({ webhook_config: { source: 'github', signing_secrets: ['first'] } });
    const status = async (secret: string) => (await gateway().call('POST', hook.url, sign(secret))).status;
    expect([await status('first'), await status('second')]).toEqual([202, 401]);
    await change(hook.id, { source: 'github', signing_secrets: ['second', '[hidden]'] });
    expect((await change(hook.id, { source: 'github', signing_secrets: ['second', '[hidden]'] })).status).toBe(422);
    await change(hook.id, { source: 'github', signing_secrets: ['[hidden]', 'second'] });
    expect([await status('first'), await status('second')]).toEqual([202, 202]);
    await change(hook.id, { source: 'github' });
    expect([await status('first'), await status('third')]).toEqual([202, 401]);
    await change(hook.id, { source: 'github', signing_secrets: null });
    expect(await status('third')).toBe(202);
  });
});

describe('the requests that a flow has received (FLOW-55)', () => {
  it('are limited to the last hundred, masked, stored without headers that hold credentials, and shown to users who may view flows', async () => {
    const hook = await createHook({ webhook_config: { source: 'github', event_types: ['push'] } });
    for (let index = 0; index < 103; index += 1)
      await gateway().call('POST', hook.url, github('pull_request', { ...opened, index }));
    const { rows } = await admin().query('select count(*)::int as count from flows.arrival where flow_id = $1', [
      hook.id,
    ]);
    expect(rows[0].count).toBe(100);
    const { body } = await list(hook.id, '?limit=2', viewer());
    expect(body.items.map((one: { payload: { index: number } }) => one.payload.index)).toEqual([102, 101]);
    expect(JSON.stringify(body)).not.toMatch(/ghp_0123|Bearer x/);
    expect((await list(newId())).status).toBe(404);
  });

  it('can be replayed with the current settings of the flow, each time as a separate run (FLOW-56)', async () => {
    const hook = await createHook({ webhook_config: { source: 'github', event_types: ['push'] } });
    await gateway().call('POST', hook.url, github('pull_request', opened, 'd-2'));
    const [arrival] = await items(hook.id);
    expect((await sendAgain(hook.id, arrival?.id)).body.status).toBe('ignored');
    await change(hook.id, { source: 'github', event_types: ['pull_request'] });
    const first = await sendAgain(hook.id, arrival?.id);
    const second = await sendAgain(hook.id, arrival?.id);
    expect([first.status, first.body.deduplicated, second.body.deduplicated]).toEqual([202, false, false]);
    expect(await countExecutions(hook.id)).toBe(2);
    const read = await gateway().call('GET', `/api/v1/flows/executions/${first.body.execution_id}`, { token: token() });
    expect(read.body.trigger_event_details).toMatchObject({ payload: opened, source: { delivery_id: 'd-2' } });
    expect((await items(hook.id))[0]).toMatchObject({ outcome: 'accepted', resent_from: arrival?.id });
    expect((await sendAgain(hook.id, arrival?.id, viewer())).status).toBe(403);
    expect((await sendAgain(hook.id, newId())).status).toBe(404);
  });

  it('are stored without bodies that are too large, which the sender has to send again (FLOW-56)', async () => {
    const hook = await createHook({ webhook_config: { source: 'github' } });
    const answer = await gateway().call('POST', hook.url, github('push', { text: 'x'.repeat(140_000) }));
    expect(answer.status).toBe(202);
    const [arrival] = await items(hook.id);
    expect([arrival?.outcome, arrival?.payload]).toEqual(['accepted', null]);
    expect((await sendAgain(hook.id, arrival?.id)).status).toBe(409);
  });

  it('are empty for a flow without a source, and are deleted with their flow', async () => {
    const plain = await createHook();
    await gateway().call('POST', plain.url, { body: { a: 1 } });
    expect(await items(plain.id)).toEqual([]);
    const hook = await createHook({ webhook_config: { source: 'github', event_types: ['push'] } });
    await gateway().call('POST', hook.url, github('issues', {}));
    expect(await items(hook.id)).toHaveLength(1);
    await gateway().call('DELETE', `/api/v1/flows/${hook.id}`, { token: token() });
    const { rows } = await admin().query('select 1 from flows.arrival where flow_id = $1', [hook.id]);
    expect(rows).toEqual([]);
  });
});
