import { useModelGateway } from '../../testing/model-gateway-tests.ts';

const gateway = useModelGateway();
const USAGE = { input: 90, cachedInput: 0, output: 10 };
const NONE = {
  ...{ models: null, calls_per_minute: null, calls_per_day: null },
  ...{ tokens_per_minute: null, tokens_per_day: null },
};

interface Key {
  readonly id: string;
  readonly key: string;
  readonly limits: Record<string, unknown> | null;
  readonly limits_used: Record<string, number> | null;
}

async function open() {
  const account = await gateway.addAccount();
  const { accessToken: token } = account;
  const cheap = await account.addModel({ alias: 'cheap', provider: 'openai' });
  await account.addModel({ alias: 'dear', provider: 'openai', fallback_model_ids: [cheap] });
  const call = (method: string, path: string, body?: unknown, bearer = token) =>
    gateway.people.call(method, `/auth/api-keys${path}`, bearer, body);
  const ask = (key: string, model = 'cheap', url = gateway.people.gateway().url) =>
    fetch(`${url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] }),
    });
  return {
    ...account,
    token,
    call,
    ask,
    addKey: async (limits?: object | null, bearer = token, more: object = {}) => {
      const { status, body } = await call('POST', '', { name: 'k', ...more, limits }, bearer);
      expect([status, body]).toEqual([201, expect.anything()]);
      return body as Key;
    },
    readKey: async ({ id }: Pick<Key, 'id'>) =>
      ((await call('GET', '?limit=50')).body.items as Key[]).find((key) => key.id === id)!,
    listModels: async (key: string) =>
      ((await gateway.connect(key).openai.models.list()).data as { id: string }[]).map(({ id }) => id),
  };
}

/** Does work, and repeats it if it spans midnight, when a daily limit resets. */
async function withinOneDay<T>(work: () => Promise<T>): Promise<T> {
  const day = (): string => new Date().toISOString().slice(0, 10);
  for (;;) {
    const before = day();
    const result = await work();
    if (day() === before) return result;
  }
}

describe('the limits of a key (GW-19, ACC-50)', () => {
  it('apply to tests of models, which are counted and restricted to the allowed models', () =>
    withinOneDay(async () => {
      const { addKey, readKey, token } = await open();
      const { body } = await gateway.people.call('GET', '/ai-models', token);
      const idOf = (alias: string) =>
        (body.items as { id: string; alias: string }[]).find((one) => one.alias === alias)?.id;
      const key = await addKey({ ...NONE, models: ['cheap'], calls_per_day: 1 });
      const test = (alias: string) => gateway.people.call('POST', `/ai-models/${idOf(alias)}/test`, key.key);
      expect((await test('dear')).body.detail).toMatchObject({ code: 'model_not_allowed', limit: 'models' });
      expect((await test('cheap')).status).toBe(200);
      expect((await test('cheap')).body.detail).toMatchObject({ code: 'key_limit_reached', limit: 'calls_per_day' });
      expect((await readKey(key)).limits_used).toMatchObject({ calls_per_day: 1 });
      const { body: usage } = await gateway.people.call('GET', '/usage?limit=50', token);
      expect(usage.items).toMatchObject([{ endpoint: 'model-test', api_key_id: key.id, model_alias: 'cheap' }]);
    }));

  it.each(['calls_per_minute', 'calls_per_day'])(
    'in %s are not exceeded by simultaneous calls in any number of processes',
    async (name) => {
      const { addKey, ask } = await open();
      const twin = await gateway.people.gateway().startTwin();
      const limit = name === 'calls_per_day' ? 5 : 0;
      gateway.provider().behave({ usage: USAGE }, 20);
      const answers = await withinOneDay(async () => {
        const { key } = await addKey({ [name]: limit });
        const urls = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? twin.url : undefined));
        return Promise.all(urls.map((url) => ask(key, 'cheap', url)));
      });
      await twin.close();
      const refused = answers.filter(({ status }) => status !== 200);
      expect([answers.length - refused.length, refused.every(({ status }) => status === 429)]).toEqual([limit, true]);
      const seconds = Number(refused[0]!.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(name === 'calls_per_day' ? 86_400 : 60);
      const { error } = (await refused[0]!.json()) as { error: Record<string, unknown> };
      expect(error).toMatchObject({ code: 'key_limit_reached', limit: name, type: 'rate_limit_error' });
      expect(error['message']).toContain(name);
    },
  );

  it('in tokens refuse calls that begin after the tokens are used up, and are exceeded by at most one call', async () => {
    const { addKey, ask, readKey } = await open();
    gateway.provider().behave({ usage: USAGE }, 20);
    const { statuses, key } = await withinOneDay(async () => {
      const made = await addKey({ tokens_per_day: 250 });
      const seen: number[] = [];
      for (let index = 0; index < 5; index += 1) {
        const answer = await ask(made.key);
        await answer.text();
        seen.push(answer.status);
      }
      return { statuses: seen, key: made };
    });
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const { limits, limits_used: used } = await readKey(key);
    expect(limits).toEqual({ ...NONE, tokens_per_day: 250 });
    expect(used).toMatchObject({ tokens_per_day: 300, calls_per_day: 3 });
  });

  it('restrict the models that the key can call, list and use as fallbacks', async () => {
    const { addKey, ask, listModels, call } = await open();
    const { key } = await addKey({ models: ['dear'] });
    expect(await listModels(key)).toEqual(['dear']);
    const refused = await ask(key);
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([403, 'false']);
    expect(await refused.json()).toMatchObject({ error: { code: 'model_not_allowed', limit: 'models' } });
    expect((await ask(key, 'fake-large')).status).not.toBe(200);
    gateway.provider().behave({ status: 401 });
    expect((await ask(key, 'dear')).status).toBe(401);
    expect((await ask(key, 'dear')).status).toBe(200);
    const unknown = await call('POST', '', { name: 'k', limits: { models: ['nobody'] } });
    expect([unknown.status, unknown.body.detail.field]).toEqual([422, 'limits.models']);
  });

  it('apply to the keys it creates; those keys cannot set or change limits', async () => {
    const { addKey, ask, call } = await open();
    const scopes = ['view_ai_models', 'manage_api_keys'];
    const maker = await addKey({ calls_per_day: 2, models: ['cheap'] }, undefined, { scopes });
    const made = await addKey(undefined, maker.key, { scopes: ['view_ai_models'] });
    expect((await ask(made.key, 'dear')).status).toBe(403);
    const statuses = await withinOneDay(async () => {
      const other = await addKey({ calls_per_day: 2 }, undefined, { scopes });
      const child = await addKey(undefined, other.key, { scopes: ['view_ai_models'] });
      const seen: number[] = [];
      for (const key of [other.key, child.key, child.key, other.key]) seen.push((await ask(key)).status);
      return seen;
    });
    expect(statuses).toEqual([200, 200, 429, 429]);
    for (const id of [maker.id, made.id])
      expect((await call('PATCH', `/${id}`, { limits: null }, maker.key)).status).toBe(403);
    const set = await call('POST', '', { name: 'x', scopes: [], limits: { calls_per_day: 9 } }, maker.key);
    expect(set.status).toBe(403);
  });

  it('can be changed by users who manage the key, and apply from its next call on', async () => {
    const { addKey, ask, call, readKey } = await open();
    const key = await addKey({ calls_per_day: 0 });
    expect((await ask(key.key)).status).toBe(429);
    const changed = await call('PATCH', `/${key.id}`, {
      limits: { calls_per_day: 1, tokens_per_minute: null },
      name: 'n',
    });
    expect([changed.status, changed.body]).toMatchObject([200, { name: 'n', limits: { ...NONE, calls_per_day: 1 } }]);
    expect((await ask(key.key)).status).toBe(200);
    expect((await call('PATCH', `/${key.id}`, { name: 'm' })).body).toMatchObject({ limits: { calls_per_day: 1 } });
    expect((await call('PATCH', `/${key.id}`, { limits: {} })).body).toMatchObject({ limits: null, limits_used: null });
    for (let index = 0; index < 3; index += 1) expect((await ask(key.key)).status).toBe(200);
    expect(await readKey(key)).toMatchObject({ name: 'm', limits: null });
    const stranger = await gateway.addAccount();
    expect((await call('PATCH', `/${key.id}`, { limits: null }, stranger.accessToken)).status).toBe(404);
  });

  it.each([
    [{ calls_per_minute: -1 }, 'limits.calls_per_minute'],
    [{ tokens_per_day: 1.5 }, 'limits.tokens_per_day'],
    [{ colour: 1 }, 'limits.colour'],
  ])('are refused if they are invalid: %j', async (limits, field) => {
    const { call } = await open();
    const { status, body } = await call('POST', '', { name: 'k', limits });
    expect([status, body.detail.field]).toEqual([422, field]);
  });
});
