import { request as openRequest } from 'node:http';
import { useFlows, type Hook } from '../../../../testing/flow-tests.ts';
import type { TestGateway } from '../../../../testing/start-gateway.ts';

interface SeenHook extends Hook {
  readonly path: string;
}

/** Budget of triggers; small, because a larger one would refill sooner than a busy machine spends it. */
const PER_MINUTE = 8;
const KEY = { 'idempotency-key': 'one' };

/**
 * The flow is changed without notifying the gateway, which has cached it; nevertheless, every response must reflect the
 * database.
 */
describe('a trigger for a flow that is cached by the process', () => {
  const { admin, countExecutions, createHook, gateway, token } = useFlows({
    FLOW_TRIGGER_RATE_PER_MINUTE: String(PER_MINUTE),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  let twin: Awaited<ReturnType<TestGateway['startTwin']>>;
  let senders = 0;
  beforeAll(async () => {
    twin = await gateway().startTwin();
  });
  afterAll(() => twin.close());

  /** Sends a trigger, by default from a different IP address each time, whose budget is full. */
  const post = async (hook: Hook, body: unknown, headers: Record<string, string> = {}) => {
    senders += 1;
    const answer = await gateway().call('POST', hook.url, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.0.${senders >> 8}.${senders & 255}`,
        ...headers,
      },
    });
    return { ...answer, code: (answer.body.detail?.code ?? '') as string };
  };
  /**
   * Returns the maximum number of requests for a budget that was full at that time, and refills while the test runs.
   */
  const readMostSince = (startedAt: number): number =>
    PER_MINUTE + Math.floor(((performance.now() - startedAt) * PER_MINUTE) / 60_000);
  const createSeenHook = async (): Promise<SeenHook> => {
    const created = await createHook();
    const hook = { ...created, path: `/api/v1/flows/${created.id}` };
    for (const _first of [1, 2]) expect((await post(hook, {})).status).toBe(202);
    expect((await post(hook, { a: 1 }, KEY)).status).toBe(202);
    return hook;
  };

  const deleteHook = async (hook: SeenHook) => {
    // A flow with active executions cannot be deleted.
    await admin().query('delete from flows.idempotency_key where flow_id = $1', [hook.id]);
    await admin().query('delete from flows.execution where flow_id = $1', [hook.id]);
    return twin.call('DELETE', hook.path, { token: token() });
  };
  const changes: [string, number, string, (hook: SeenHook) => Promise<{ status: number }>][] = [
    [
      'was disabled',
      409,
      'flow_disabled',
      (hook) => twin.call('PATCH', hook.path, { token: token(), body: { is_enabled: false } }),
    ],
    ['was deleted', 404, 'not_found', deleteHook],
    [
      'got another secret',
      404,
      'not_found',
      (hook) => twin.call('POST', `${hook.path}/webhook-secret/rotate`, { token: token() }),
    ],
    [
      'lost its webhook',
      404,
      'not_found',
      (hook) => twin.call('PATCH', hook.path, { token: token(), body: { trigger: 'manual' } }),
    ],
  ];
  const requests: [string, unknown, Record<string, string>][] = [
    ['an ordinary body', {}, {}],
    ['a key that was used before', { a: 1 }, KEY],
    ['a key that was used for a different body', { a: 2 }, KEY],
    ['a body that is not JSON', '{', {}],
    ['a body that is not an object', '[1]', {}],
    ['another media type', {}, { 'content-type': 'text/plain' }],
    ['files that are refused', { workspace_files: [{ path: '../x', content_base64: '' }] }, {}],
    ['a body that is too large for a batch', { big: 'x'.repeat(40_000) }, {}],
  ];
  describe.each(changes)('that has changed since then: %s', (_what, status, code, change) => {
    it.each(requests)('with %s is refused as if the flow were not cached', async (_with, body, headers) => {
      const hook = await createSeenHook();
      const before = await countExecutions(hook.id);
      expect((await change(hook)).status).toBeLessThan(300);
      // The second request finds the key removed.
      for (const _each of [1, 2]) expect(await post(hook, body, headers)).toMatchObject({ status, code });
      if (code !== 'not_found') expect(await countExecutions(hook.id)).toBe(before);
    });
  });

  it('is immediately accepted with the new secret, and refused with the old one', async () => {
    const old = await createSeenHook();
    const { body } = await twin.call('POST', `${old.path}/webhook-secret/rotate`, { token: token() });
    const rotated = { ...old, url: `/webhooks/flows/${old.id}/${body.webhook_secret}` };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => post(n % 2 === 0 ? old : rotated, { b: 1 }, { 'idempotency-key': 'two' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 2 === 0 ? 404 : 202)));
    expect(await countExecutions(old.id)).toBe(4);
  });

  it('is checked for duplicates according to the current settings of the flow', async () => {
    const hook = await createSeenHook();
    const webhook_config = { dedupe_path: 'id' };
    expect((await twin.call('PATCH', hook.path, { token: token(), body: { webhook_config } })).status).toBe(200);
    const [first, second] = [await post(hook, { id: 7 }), await post(hook, { id: 7 })];
    expect([first.body.deduplicated, second.body.deduplicated]).toEqual([false, true]);
  });

  it('is accepted after the flow is disabled and enabled again', async () => {
    const hook = await createSeenHook();
    for (const [is_enabled, status] of [
      [false, 409],
      [true, 202],
      [false, 409],
      [true, 202],
    ] as const) {
      await twin.call('PATCH', hook.path, { token: token(), body: { is_enabled } });
      expect((await post(hook, {})).status).toBe(status);
    }
  });

  it('uses the flow’s budget once; an old secret uses none of it and does not reveal that it is exhausted', async () => {
    const startedAt = performance.now();
    const hook = await createSeenHook();
    const left = PER_MINUTE - 3;
    const answers = await Promise.all(Array.from({ length: left + 5 }, () => post(hook, {})));
    const granted = answers.filter(({ status }) => status === 202).length;
    expect(granted).toBeGreaterThanOrEqual(left);
    expect(3 + granted).toBeLessThanOrEqual(readMostSince(startedAt));
    expect(answers.filter(({ code }) => code === 'rate_limited')).toHaveLength(answers.length - granted);

    const { body } = await twin.call('POST', `${hook.path}/webhook-secret/rotate`, { token: token() });
    const rotated = { ...hook, url: `/webhooks/flows/${hook.id}/${body.webhook_secret}` };
    for (const _each of [1, 2, 3]) expect((await post(hook, {})).code).toBe('not_found');
    const others = await Promise.all(Array.from({ length: PER_MINUTE }, () => post(rotated, {})));
    const grantedLater = others.filter(({ status }) => status === 202).length;
    expect(3 + granted + grantedLater).toBeLessThanOrEqual(readMostSince(startedAt));
    expect(others.filter(({ code }) => code === 'rate_limited')).toHaveLength(others.length - grantedLater);
  });

  it('is not blocked by unfinished bodies sent with a replaced secret', async () => {
    const hook = await createSeenHook();
    const rotated = await twin.call('POST', `${hook.path}/webhook-secret/rotate`, { token: token() });
    const halfSent = () =>
      new Promise((resolve) => {
        const headers = { 'content-type': 'application/json', 'content-length': 20 };
        const request = openRequest(`${gateway().url}${hook.url}`, { method: 'POST', headers });
        request.on('error', resolve);
        request.write('{"a":', () => request.destroy());
        request.on('close', resolve);
      });
    await Promise.all(Array.from({ length: PER_MINUTE }, halfSent));
    const fresh = { ...hook, url: `/webhooks/flows/${hook.id}/${rotated.body.webhook_secret as string}` };
    expect((await post(fresh, {})).status).toBe(202);
  });

  it('with a replaced secret counts as a wrong secret, so that one address cannot guess indefinitely', async () => {
    const hook = await createSeenHook();
    await twin.call('POST', `${hook.path}/webhook-secret/rotate`, { token: token() });
    const from = { 'x-forwarded-for': '192.0.2.1' };
    const startedAt = performance.now();
    const first = await post(hook, {}, from);
    const others = await Promise.all(Array.from({ length: PER_MINUTE + 5 }, () => post(hook, {}, from)));
    const judged = others.filter(({ code }) => code === 'not_found').length;
    expect(first.code).toBe('not_found');
    expect(1 + judged).toBeLessThanOrEqual(readMostSince(startedAt));
    expect(others.filter(({ code }) => code === 'rate_limited')).toHaveLength(others.length - judged);
  });
});
