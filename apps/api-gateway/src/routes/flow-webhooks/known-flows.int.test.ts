import { request as openRequest } from 'node:http';
import pg from 'pg';
import { newId } from '@steward/runtime';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

interface Hook {
  readonly id: string;
  readonly path: string;
  readonly url: string;
}

const PER_MINUTE = 40;
const KEY = { 'idempotency-key': 'one' };

/** The gateway has seen the flow, and something that it does not hear of happens: every answer is that of the database. */
describe('a trigger of a flow that was seen before', () => {
  let gateway: TestGateway;
  let twin: Awaited<ReturnType<TestGateway['startTwin']>>;
  let token: string;
  let admin: pg.Client;
  let senders = 0;
  beforeAll(async () => {
    gateway = await startTestGateway({
      FLOW_TRIGGER_RATE_PER_MINUTE: String(PER_MINUTE),
      TRUSTED_PROXIES: '127.0.0.1',
    });
    twin = await gateway.startTwin();
    token = (await gateway.registerAccount()).accessToken;
    admin = new pg.Client({ connectionString: gateway.database.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await twin.close();
    await gateway.close();
  });

  /** By default each comes from an address of its own, whose budgets are full. */
  const post = async (hook: Hook, body: unknown, headers: Record<string, string> = {}) => {
    senders += 1;
    const answer = await gateway.call('POST', hook.url, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.0.${senders >> 8}.${senders & 255}`,
        ...headers,
      },
    });
    return { ...answer, code: (answer.body.detail?.code ?? '') as string };
  };
  const createSeenHook = async (): Promise<Hook> => {
    const { body } = await gateway.call('POST', '/api/v1/flows', {
      token,
      body: {
        name: newId(),
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: { command: 'true' },
        trigger: 'webhook',
      },
    });
    const { webhook_secret: secret } = body.webhook_config;
    const hook = { id: body.id, path: `/api/v1/flows/${body.id}`, url: `/webhooks/flows/${body.id}/${secret}` };
    for (const _first of [1, 2]) expect((await post(hook, {})).status).toBe(202);
    expect((await post(hook, { a: 1 }, KEY)).status).toBe(202);
    return hook;
  };
  const countExecutions = async (hook: Hook): Promise<number> => {
    const { rows } = await admin.query('select 1 from flows.execution where flow_id = $1', [hook.id]);
    return rows.length;
  };

  const deleteHook = async (hook: Hook) => {
    // A flow with executions under way cannot be deleted.
    await admin.query('delete from flows.idempotency_key where flow_id = $1', [hook.id]);
    await admin.query('delete from flows.execution where flow_id = $1', [hook.id]);
    return twin.call('DELETE', hook.path, { token });
  };
  const changes: [string, number, string, (hook: Hook) => Promise<{ status: number }>][] = [
    [
      'was disabled',
      409,
      'flow_disabled',
      (hook) => twin.call('PATCH', hook.path, { token, body: { is_enabled: false } }),
    ],
    ['was deleted', 404, 'not_found', deleteHook],
    [
      'got another secret',
      404,
      'not_found',
      (hook) => twin.call('POST', `${hook.path}/webhook-secret/rotate`, { token }),
    ],
    [
      'lost its webhook',
      404,
      'not_found',
      (hook) => twin.call('PATCH', hook.path, { token, body: { trigger: 'manual' } }),
    ],
  ];
  const requests: [string, unknown, Record<string, string>][] = [
    ['a plain body', {}, {}],
    ['a key that was used', { a: 1 }, KEY],
    ['a key that was used for other bytes', { a: 2 }, KEY],
    ['a body that is no JSON', '{', {}],
    ['a body that is no object', '[1]', {}],
    ['another media type', {}, { 'content-type': 'text/plain' }],
    ['files that are refused', { workspace_files: [{ path: '../x', content_base64: '' }] }, {}],
    ['a body too large for a batch', { big: 'x'.repeat(40_000) }, {}],
  ];
  describe.each(changes)('and since then %s', (_what, status, code, change) => {
    it.each(requests)('with %s is refused as if unseen', async (_with, body, headers) => {
      const hook = await createSeenHook();
      const before = await countExecutions(hook);
      expect((await change(hook)).status).toBeLessThan(300);
      // The second one finds it forgotten.
      for (const _each of [1, 2]) expect(await post(hook, body, headers)).toMatchObject({ status, code });
      if (code !== 'not_found') expect(await countExecutions(hook)).toBe(before);
    });
  });

  it('is found by the new secret at once, and the holder of the old one is not answered for the holder of the new', async () => {
    const old = await createSeenHook();
    const { body } = await twin.call('POST', `${old.path}/webhook-secret/rotate`, { token });
    const rotated = { ...old, url: `/webhooks/flows/${old.id}/${body.webhook_secret}` };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(n % 2 === 0 ? old : rotated, { b: 1 }, { 'idempotency-key': 'two' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 2 === 0 ? 404 : 202)));
    expect(await countExecutions(old)).toBe(4);
  });

  it('is checked for repeats by what the flow says now', async () => {
    const hook = await createSeenHook();
    const webhook_config = { dedupe_path: 'id' };
    expect((await twin.call('PATCH', hook.path, { token, body: { webhook_config } })).status).toBe(200);
    const [first, second] = [await post(hook, { id: 7 }), await post(hook, { id: 7 })];
    expect([first.body.deduplicated, second.body.deduplicated]).toEqual([false, true]);
  });

  it('is disabled and enabled again, and accepted', async () => {
    const hook = await createSeenHook();
    for (const [is_enabled, status] of [
      [false, 409],
      [true, 202],
      [false, 409],
      [true, 202],
    ] as const) {
      await twin.call('PATCH', hook.path, { token, body: { is_enabled } });
      expect((await post(hook, {})).status).toBe(status);
    }
  });

  it('spends the flow’s budget once; an old secret spends none of it and is never told that it is empty', async () => {
    const hook = await createSeenHook();
    const left = PER_MINUTE - 3;
    const answers = await Promise.all(Array.from({ length: left + 5 }, () => post(hook, {})));
    const refused = answers.filter(({ status }) => status !== 202);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['rate_limited']));
    // It fills up again while the test runs.
    expect(refused.length).toBeGreaterThanOrEqual(3);

    const { body } = await twin.call('POST', `${hook.path}/webhook-secret/rotate`, { token });
    const rotated = { ...hook, url: `/webhooks/flows/${hook.id}/${body.webhook_secret}` };
    for (const _each of [1, 2, 3]) expect((await post(hook, {})).code).toBe('not_found');
    expect((await post(rotated, {})).status).toBe(429);
  });

  it('is not kept from its flow by bodies that never end, sent with a secret that was replaced', async () => {
    const hook = await createSeenHook();
    const rotated = await twin.call('POST', `${hook.path}/webhook-secret/rotate`, { token });
    const halfSent = () =>
      new Promise((resolve) => {
        const headers = { 'content-type': 'application/json', 'content-length': 20 };
        const request = openRequest(`${gateway.url}${hook.url}`, { method: 'POST', headers });
        request.on('error', resolve);
        request.write('{"a":', () => request.destroy());
        request.on('close', resolve);
      });
    await Promise.all(Array.from({ length: PER_MINUTE }, halfSent));
    const fresh = { ...hook, url: `/webhooks/flows/${hook.id}/${rotated.body.webhook_secret as string}` };
    expect((await post(fresh, {})).status).toBe(202);
  });

  it('counts as a wrong secret once its secret was replaced: one address may not guess for ever', async () => {
    const hook = await createSeenHook();
    await twin.call('POST', `${hook.path}/webhook-secret/rotate`, { token });
    const from = { 'x-forwarded-for': '192.0.2.1' };
    const codes = [];
    for (let n = 0; n < PER_MINUTE + 5; n += 1) codes.push((await post(hook, {}, from)).code);
    expect([codes[0], codes.at(-1)]).toEqual(['not_found', 'rate_limited']);
  });
});
