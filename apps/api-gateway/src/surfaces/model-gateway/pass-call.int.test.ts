import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually, scaleLimit, sizeCampaign } from '@steward/testing';
import { PROVIDER_KEY, useModelGateway } from '../../testing/model-gateway-tests.ts';
import { AnswerTap } from './answers/answer-tap.ts';

const gateway = useModelGateway({});
const CHAT = '/openai/v1/chat/completions';
const MIB = 1024 * 1024;
const STREAMS = sizeCampaign({ daily: 200, full: 1000 });
const AT_ONCE = 100;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const ask = (more: object = {}) => JSON.stringify({ model: 'smart', messages: [], ...more });

describe('a forwarded call (GW-4, GW-5)', () => {
  it('is sent to the provider byte for byte, except for the name of the model', async () => {
    const body =
      '{ "seed" : 9007199254740993,"mod\\u0065l":"smart", "x":[1.0, 1e2,{"model":"smart"}],"unknown":"\\u00e9" }\n';
    expect((await gateway.post(CHAT, body)).status).toBe(200);
    expect(gateway.provider().requests[0]?.body.toString()).toBe(body.replace('"smart"', '"fake-large"'));
  });

  it.each(['openai/v1/chat/completions', 'openai/v1/responses', 'anthropic/v1/messages'])(
    'to %s gets its response byte for byte, even in chunks of one byte with CRLF and comments',
    async (path) => {
      const [model, upstream] = path.startsWith('openai') ? ['smart', 'fake-large'] : ['claude', 'fake-large'];
      const framing = { pieceBytes: 1, crlf: true, comments: true };
      gateway.provider().behave({ framing }, 2);
      const direct = await fetch(`${gateway.provider().origin}/${path.slice(path.indexOf('/') + 1)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${PROVIDER_KEY}` },
        body: ask({ model: upstream, stream: true, stream_options: { include_usage: true } }),
      });
      const passed = await gateway.post(
        `/${path}`,
        ask({ model, stream: true, stream_options: { include_usage: true } }),
      );
      expect(passed.headers.get('content-type')).toBe(direct.headers.get('content-type'));
      expect(await passed.text()).toBe(await direct.text());
    },
  );

  it('does not forward credentials, cookies or the address of the client, and returns no key', async () => {
    const token = gateway.token();
    const response = await gateway.post(CHAT, ask(), {
      cookie: 'a=b',
      'x-api-key': token,
      'x-forwarded-for': '10.0.0.1',
      'x-request-id': 'mine',
      'openai-beta': 'one',
      'x-unknown': 'two',
    });
    const { headers } = gateway.provider().requests[0]!;
    expect(JSON.stringify(headers)).not.toContain(token);
    expect(headers).toMatchObject({ authorization: `Bearer ${PROVIDER_KEY}`, 'openai-beta': 'one' });
    for (const name of ['cookie', 'x-api-key', 'x-forwarded-for', 'x-unknown', 'x-request-id'])
      expect(headers).not.toHaveProperty(name);
    expect(JSON.stringify([...response.headers])).not.toContain(PROVIDER_KEY);
    const served = ['x-request-id', 'x-service-model', 'x-service-attempts', 'x-service-upstream-request-id'];
    expect(served.map((name) => response.headers.get(name))).toEqual(['mine', 'smart', '1', 'req_fake']);
  });

  it('keeps the query string of the client', async () => {
    expect((await gateway.post(`${CHAT}?beta=true&x=%20a`, ask())).status).toBe(200);
    expect((await gateway.post(`${CHAT}?`, ask())).status).toBe(200);
    const paths = gateway.provider().requests.map(({ path }) => path.slice(path.indexOf('/chat')));
    expect(paths).toEqual(['/chat/completions?beta=true&x=%20a', '/chat/completions']);
  });

  it.each([
    ['no JSON', '{"model":', 400, 'malformed_json'],
    ['a body that is not an object', '["smart"]', 400, 'malformed_json'],
    ['no model', '{"messages":[]}', 422, 'invalid_request'],
    ['a model that is not a string', '{"model":7}', 422, 'invalid_request'],
  ])('is refused with %s', async (_what, body, status, code) => {
    const response = await gateway.post(CHAT, body);
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
    expect(gateway.provider().requests).toEqual([]);
  });

  it('may have at most 32 MiB (GW-7)', async () => {
    const large = ask({ messages: ['x'.repeat(31 * MIB)] });
    expect((await gateway.post(CHAT, large)).status).toBe(200);
    expect((await gateway.post(CHAT, `${large}${' '.repeat(2 * MIB)}`)).status).toBe(413);
    expect(gateway.provider().requests).toHaveLength(1);
  });

  it('is accepted while many large ones are in progress (GW-15)', async () => {
    const large = ask({ messages: ['x'.repeat(30 * MIB)] });
    const responses = await Promise.all(Array.from({ length: 8 }, () => gateway.post(CHAT, large)));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await Promise.all(responses.map((response) => response.text()));
    expect(gateway.provider().requests.every(({ body }) => body.byteLength > 30 * MIB)).toBe(true);
  });

  it('waits for a slow client instead of buffering the response (GW-6)', async () => {
    const size = 200 * MIB;
    gateway.provider().behave({ streamBytes: size });
    const leaving = new AbortController();
    const response = await gateway.post(CHAT, ask({ stream: true }), {}, leaving.signal);
    const request = gateway.provider().requests[0]!;
    await eventually(() => request.waitsForReader > 0);
    const reader = response.body!.getReader();
    let read = 0;
    while (read < 20 * MIB) read += (await reader.read()).value?.byteLength ?? 0;
    await eventually(() => request.sentBytes > read);
    expect(request.sentBytes).toBeLessThan(size / 2);
    leaving.abort();
    await eventually(() => request.state === 'aborted');
  });
});

/** Watches every response that is passed on from now on, without keeping it in memory. */
function watchTaps() {
  const { pass } = AnswerTap.prototype;
  const known = new WeakSet<AnswerTap>();
  const seen: WeakRef<AnswerTap>[] = [];
  AnswerTap.prototype.pass = function (...args) {
    if (!known.has(this)) seen.push(new WeakRef(this));
    known.add(this);
    pass.apply(this, args);
  };
  return {
    /** Returns the number of watched responses that are still in memory. */
    async countKept(): Promise<number> {
      // An object whose reference was read is kept until the end of that turn.
      await nextTurn();
      collect();
      return seen.filter((tap) => tap.deref() !== undefined).length;
    },
    /** Returns the number of watched responses. */
    stopWatching(): number {
      AnswerTap.prototype.pass = pass;
      return seen.length;
    },
  };
}

describe(`${STREAMS} streams whose clients disconnect`, () => {
  it(
    'are ended at the provider and recorded, and leave no connection, no reservation and no buffer',
    async () => {
      const account = await gateway.addAccount();
      const price = { input_per_mtok_usd: 1, output_per_mtok_usd: 1 };
      await account.addModel({ alias: 'left', provider: 'openai', prices: price });
      const budget = { scope: 'account', period: 'daily', limit_amount: 1000 };
      await gateway.people.call('POST', '/budgets', account.accessToken, budget);
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      gateway.provider().behave({ waitBeforeEvent: (index) => (index === 3 ? held : undefined) }, STREAMS);
      const taps = watchTaps();
      const leave = async (look: () => unknown = () => undefined) => {
        const leaving = new AbortController();
        const body = ask({ model: 'left', stream: true });
        const response = await gateway.post(
          CHAT,
          body,
          { authorization: `Bearer ${account.accessToken}` },
          leaving.signal,
        );
        expect(response.status).toBe(200);
        await response.body!.getReader().read();
        await look();
        leaving.abort();
      };
      // Counting collects the garbage of the whole heap, so it is done rarely.
      const seldom = { intervalMs: 500 };
      const untilEnded = () =>
        eventually(() => gateway.provider().requests.every(({ state }) => state === 'aborted'), { intervalMs: 100 });
      let kept = 0;
      await leave(async () => (kept = await taps.countKept()));
      expect(kept).toBe(1);
      const leaveAtOnce = (count: number) => Promise.all(Array.from({ length: count }, () => leave()));
      for (const count of [AT_ONCE - 1, ...Array<number>(STREAMS / AT_ONCE - 1).fill(AT_ONCE)]) {
        await leaveAtOnce(count);
        // On a busy machine it takes a while to detect that the last hundred clients disconnected; until then they
        // occupy the slots that the next ones need.
        await untilEnded();
      }
      const count = async () =>
        (await gateway.people.call('GET', '/usage/summary?group_by=model', account.accessToken)).body.total
          .calls as number;
      await eventually(async () => (await count()) === STREAMS, seldom);
      const { body } = await gateway.people.call('GET', '/budgets', account.accessToken);
      expect((body.items as { reserved_amount: number }[])[0]!.reserved_amount).toBe(0);
      await eventually(async () => (await gateway.provider().countConnections()) === 0);
      release();
      await eventually(async () => (await taps.countKept()) === 0, seldom);
      expect(taps.stopWatching()).toBe(STREAMS);
    },
    // A busy machine takes minutes for so many streams; every wait in this test has its own limit.
    scaleLimit(600_000),
  );
});

describe('a provider that fails (GW-8)', () => {
  it('is called three times, and then the fallback model', async () => {
    const id = await gateway.addModel({ alias: 'spare', provider: 'openai', model_identifier: 'fake-small' });
    await gateway.addModel({ alias: 'backed', provider: 'openai', fallback_model_ids: [id] });
    gateway.provider().behave({ status: 500 }, 2);
    gateway.provider().behave({ reset: true });
    const response = await gateway.post(CHAT, ask({ model: 'backed' }));
    expect([response.status, response.headers.get('x-service-model')]).toEqual([200, 'spare']);
    expect(response.headers.get('x-service-attempts')).toBe('4');
    const models = gateway
      .provider()
      .requests.map(({ body }) => (JSON.parse(body.toString()) as { model: string }).model);
    expect(models).toEqual(['fake-large', 'fake-large', 'fake-large', 'fake-small']);
  });

  it.each([
    ['a permanent 500', { status: 500 }, 3, 500],
    ['a 429 that lasts a minute', { status: 429, retryAfter: '60' }, 1, 429],
    ['400', { status: 400 }, 1, 400],
  ])('with %s is passed on unchanged', async (_what, behaviour, attempts, status) => {
    gateway.provider().behave(behaviour, 3);
    const response = await gateway.post(CHAT, ask());
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe('retryAfter' in behaviour ? '60' : null);
    expect(await response.text()).toContain(`The provider responds with ${status}.`);
    expect(gateway.provider().requests).toHaveLength(attempts);
  });

  it('is reported as unreachable', async () => {
    gateway.provider().behave({ reset: true }, 3);
    const response = await gateway.post(CHAT, ask());
    expect([response.status, await response.json()]).toMatchObject([502, { error: { code: 'provider_unreachable' } }]);
  });

  it.each([
    ['a stream', true],
    ['a short response', false],
  ])('after the first byte of %s is not called again, and the response is aborted', async (_what, stream) => {
    gateway.provider().behave({ cutAfterEvents: 3 });
    const response = await gateway.post(CHAT, ask({ stream }));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(gateway.provider().requests).toHaveLength(1);
  });
});
