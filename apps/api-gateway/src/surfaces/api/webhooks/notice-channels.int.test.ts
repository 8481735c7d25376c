import { NOTICE_TYPES } from '@steward/webhooks';
import { captureOutput } from '@steward/testing';
import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';
import { startTestGateway } from '../../../testing/start-gateway.ts';

const output = captureOutput();
const tests = useEventWebhooks();
const CHANNELS = '/api/v1/notice-channels';
const SLACK = { kind: 'slack', url: 'https://hooks.example.test/services/T0/B0/canary-path' };
const NTFY = { kind: 'ntfy', url: 'https://ntfy.example.test/alerts', token: 'tk_canary-token' };

function call(method: string, path: string, body?: unknown, token = tests.owner.accessToken) {
  return tests.gateway.call(method, `${CHANNELS}${path}`, { token, ...(body === undefined ? {} : { body }) });
}

async function loginAsViewer(): Promise<string> {
  const user = { username: 'viewer-of-channels', password: 'a long enough password' };
  const body = { ...user, email: 'viewer@example.test', role: 'viewer' };
  await tests.gateway.call('POST', '/api/v1/users', { token: tests.owner.accessToken, body });
  return (await tests.gateway.call('POST', '/api/v1/auth/token/json', { body: user })).body.access_token as string;
}

async function add(body: object = SLACK): Promise<{ id: string; [key: string]: unknown }> {
  const created = await call('POST', '', body);
  expect(created.status).toBe(201);
  return created.body as { id: string };
}

describe('a notice channel', () => {
  it('gets what needs somebody unless its notices are chosen, and never shows its token (NTC-1, NTC-2)', async () => {
    const slack = await add();
    expect(slack).toMatchObject({
      ...SLACK,
      active: true,
      token_hint: null,
      notices: ['approval.created', 'budget.threshold', 'budget.exceeded', 'webhook.endpoint_failing'],
    });
    const ntfy = await add({ ...NTFY, notices: ['policy.denied'], description: 'phone' });
    expect(ntfy).toMatchObject({ kind: 'ntfy', notices: ['policy.denied'], token_hint: 'oken', description: 'phone' });
    expect(JSON.stringify(ntfy)).not.toContain('tk_canary');
    expect((await call('GET', `/${ntfy.id}`)).body).toEqual(ntfy);
    expect((await call('GET', '')).body.items).toEqual([ntfy, slack]);
    expect((await tests.call('GET', '/endpoints')).body.items).toEqual([]);
    expect((await tests.call('GET', `/endpoints/${slack.id}`)).status).toBe(404);
    expect(output()).not.toContain('canary');
  });

  it.each<[string, object, string]>([
    ['a URL that is none', { ...SLACK, url: 'hooks.example.test' }, 'invalid_url'],
    ['a topic without a name', { ...NTFY, url: 'https://ntfy.example.test/' }, 'invalid_url'],
    ['a topic with a query', { ...NTFY, url: 'https://ntfy.example.test/alerts?auth=x' }, 'invalid_url'],
    ['a topic with an odd name', { ...NTFY, url: 'https://ntfy.example.test/a.b' }, 'invalid_url'],
    ['a token for Slack', { ...SLACK, token: 'x' }, 'invalid_request'],
    ['a token with a line break', { ...NTFY, token: 'x\r\nHost: y' }, 'invalid_request'],
    ['no notices', { ...SLACK, notices: [] }, 'invalid_request'],
    ['an event that is no notice', { ...SLACK, notices: ['session.ended'] }, 'invalid_request'],
    ['another service', { ...SLACK, kind: 'pager' }, 'invalid_request'],
  ])('is refused with %s (NTC-1)', async (_name, body, code) => {
    const refused = await call('POST', '', body);
    expect([refused.status, refused.body.detail.code]).toEqual([422, code]);
  });

  it('is changed: a token stays at its host, and is removed by null (NTC-1)', async () => {
    const { id } = await add(NTFY);
    const change = async (body: object) => (await call('PATCH', `/${id}`, body)).body;
    expect(await change({ url: 'https://ntfy.example.test/other', notices: [...NOTICE_TYPES] })).toMatchObject({
      url: 'https://ntfy.example.test/other',
      notices: [...NOTICE_TYPES],
      token_hint: 'oken',
    });
    expect(await change({ url: 'https://other.example.test/other' })).toMatchObject({ token_hint: null });
    expect(await change({ token: 'tk_new-1234', active: false })).toMatchObject({ token_hint: '1234', active: false });
    expect(await change({ token: null })).toMatchObject({ token_hint: null });
    const refused = await call('PATCH', `/${id}`, { url: 'https://ntfy.example.test/' });
    expect(refused.body.detail.code).toBe('invalid_url');
  });

  it('is tested with a delivery that everybody who may read deliveries can see (NTC-7)', async () => {
    const { id } = await add();
    const sent = await call('POST', `/${id}/test`);
    expect(sent.status).toBe(202);
    const delivery = await tests.call('GET', `/deliveries/${sent.body.delivery_id}`);
    expect(delivery.body).toMatchObject({ endpoint_id: id, event_type: 'webhook.test', status: 'pending' });
    const example = await call('POST', `/${id}/test`, { notice: 'webhook.endpoint_failing' });
    expect((await tests.call('GET', `/events/${example.body.event_id}`)).body.type).toBe('webhook.endpoint_failing');
  });

  it('gets no test event of endpoints, for most of which there is no notice', async () => {
    const { id } = await add();
    const sent = [
      await tests.call('POST', `/endpoints/${id}/test`),
      await tests.call('POST', `/endpoints/${id}/test`, { event_type: 'session.ended' }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([404, 404]);
    expect((await tests.call('GET', '/deliveries')).body.items).toEqual([]);
  });

  it('is deleted with what waits for it, and its token with it', async () => {
    const { id } = await add(NTFY);
    const sent = await call('POST', `/${id}/test`);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await tests.call('GET', `/deliveries/${sent.body.delivery_id}`)).body.status).toBe('cancelled');
    const { rows } = await tests.admin.query('select from webhooks.endpoint_secret where endpoint_id = $1', [id]);
    expect(rows).toHaveLength(0);
    const gone = await Promise.all([
      call('GET', `/${id}`),
      call('PATCH', `/${id}`, { active: true }),
      call('POST', `/${id}/test`),
      call('DELETE', `/${id}`),
    ]);
    expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('stores URL and token sealed (NTC-1)', async () => {
    await add();
    await add(NTFY);
    const { rows } = await tests.admin.query<{ text: string }>(
      `select e::text || coalesce((select string_agg(s::text, '') from webhooks.endpoint_secret s), '') as text
       from webhooks.endpoint e where e.source = 'notice_channel'`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.map(({ text }) => text).join('')).not.toMatch(/canary|alerts/);
  });

  it('is one of at most ten of its account, also if they are created at once (LIM-107)', async () => {
    const created = await Promise.all(Array.from({ length: 12 }, () => call('POST', '', SLACK)));
    expect(created.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 10 }, () => 201), 409, 409]);
  });

  it('belongs to its account alone', async () => {
    const { id } = await add();
    const other = (await tests.gateway.registerAccount()).accessToken;
    const foreign = await Promise.all([
      call('GET', `/${id}`, undefined, other),
      call('PATCH', `/${id}`, { active: false }, other),
      call('POST', `/${id}/test`, undefined, other),
      call('DELETE', `/${id}`, undefined, other),
    ]);
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await call('GET', '', undefined, other)).body.items).toEqual([]);
  });

  it('is refused with a private address while these are blocked, on creation and on change (NTC-4)', async () => {
    const guarded = await startTestGateway({
      WEBHOOK_BLOCK_PRIVATE_TARGETS: 'true',
      WEBHOOK_ALLOWED_PRIVATE_CIDRS: '10.20.0.0/16',
    });
    const { accessToken: token } = await guarded.registerAccount();
    const ask = (method: string, path: string, body: object) =>
      guarded.call(method, `${CHANNELS}${path}`, { token, body });
    const inside = { url: 'http://169.254.169.254/latest/x' };
    const created = await ask('POST', '', { kind: 'ntfy', url: 'http://10.20.1.1/alerts' });
    const refused = [
      await ask('POST', '', { kind: 'ntfy', ...inside }),
      await ask('PATCH', `/${created.body.id}`, inside),
    ];
    await guarded.close();
    expect(created.status).toBe(201);
    expect(refused.map(({ body }) => [body.detail.code, body.detail.reason])).toEqual([
      ['target_blocked', 'link_local'],
      ['target_blocked', 'link_local'],
    ]);
  });
});

describe('the URL of a channel', () => {
  it('is shown without its path to people who may not change it (ACC-47)', async () => {
    const { id } = await add();
    const viewer = await loginAsViewer();
    const read = await call('GET', `/${id}`, undefined, viewer);
    expect(read.body.url).toBe('https://hooks.example.test/[hidden]');
    expect((await call('POST', '', SLACK, viewer)).status).toBe(403);
  });
});
