import Anthropic from '@anthropic-ai/sdk';
import { eventually } from '@steward/testing';
import OpenAI from 'openai';
import { useModelGateway } from '../../../testing/model-gateway-tests.ts';

const gateway = useModelGateway();
const MESSAGES = [{ role: 'user' as const, content: 'Hello' }];
/** A dollar for each token that is read, two for each that is written. */
const PRICES = { input_per_mtok_usd: 1_000_000, output_per_mtok_usd: 1_000_000, cached_input_per_mtok_usd: 0 };
const PATHS = { chat: '/openai/v1/chat/completions', messages: '/anthropic/v1/messages' };

/** An account of its own with models, and one call of it. */
async function open(prices: object | null = PRICES) {
  const account = await gateway.addAccount();
  const { accessToken: token } = account;
  const chat = await account.addModel({ alias: 'chat', provider: 'openai', prices });
  await account.addModel({ alias: 'messages', provider: 'anthropic', prices });
  return {
    ...account,
    token,
    chat,
    clients: gateway.connect(token),
    readUsage: (count: number) => gateway.readUsage(count, token),
    post: (model: keyof typeof PATHS, more: object = {}, signal?: AbortSignal) =>
      gateway.post(
        PATHS[model],
        JSON.stringify({ model, messages: MESSAGES, max_tokens: 50, ...more }),
        { authorization: `Bearer ${token}` },
        signal,
      ),
    addBudget: async (fields: object) => {
      const { status, body } = await gateway.people.call('POST', '/budgets', token, {
        period: 'daily',
        scope: 'account',
        ...fields,
      });
      expect(status).toBe(201);
      return body as { id: string };
    },
    readBudgets: async () =>
      (await gateway.people.call('GET', '/budgets', token)).body.items as {
        spent_amount: number;
        reserved_amount: number;
      }[],
  };
}

describe('a call that ended (GW-12)', () => {
  it.each(['chat', 'messages'] as const)(
    'of %s is one row with what the provider counted, streamed or not',
    async (model) => {
      const { post, readUsage, accountId, userId } = await open();
      gateway.provider().behave({ usage: { input: 100, cachedInput: 40, output: 7 } }, 2);
      await (await post(model)).text();
      await (await post(model, { stream: true })).text();
      const rows = await readUsage(2);
      const input = model === 'chat' ? 100 : 140;
      for (const row of rows) {
        expect(row).toMatchObject({
          ...{
            account_id: accountId,
            user_id: userId,
            api_key_id: null,
            model_alias: model,
            status: 'ok',
            error_class: null,
          },
          ...{
            input_tokens: input,
            cached_input_tokens: 40,
            output_tokens: 7,
            usage_source: 'provider',
            price_source: 'custom',
          },
          ...{ cost_usd: input - 40 + 7, endpoint: PATHS[model].split('/v1/')[1] },
        });
        expect(row['first_byte_ms']).toBeLessThanOrEqual(row['duration_ms'] as number);
      }
      expect(rows.map(({ stream }) => stream)).toEqual([true, false]);
    },
  );

  it('with vectors takes no output, and counting tokens takes nothing', async () => {
    const { clients, readUsage } = await open();
    await clients.openai.embeddings.create({ model: 'chat', input: ['one'] });
    await clients.anthropic.messages.countTokens({ model: 'messages', messages: MESSAGES });
    const [count, vectors] = await readUsage(2);
    expect(vectors).toMatchObject({ endpoint: 'embeddings', output_tokens: 0, usage_source: 'provider', status: 'ok' });
    expect(count).toMatchObject({
      endpoint: 'messages/count_tokens',
      input_tokens: null,
      cost_usd: 0,
      usage_source: null,
    });
  });

  it('by its client has what was counted until then', async () => {
    const { post, readUsage } = await open();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    gateway.provider().behave({
      waitBeforeEvent: (index) => (index === 5 ? held : undefined),
      usage: { input: 100, cachedInput: 0, output: 7 },
    });
    const leaving = new AbortController();
    const response = await post('messages', { stream: true }, leaving.signal);
    await response.body!.getReader().read();
    leaving.abort();
    const [row] = await readUsage(1);
    release();
    expect(row).toMatchObject({ status: 'aborted', usage_source: 'partial', input_tokens: 100 });
    expect(row!['cost_usd']).toBeGreaterThan(100);
  });

  it('that goes on in the background counts with what it held', async () => {
    const { token, readUsage } = await open();
    const bearer = { authorization: `Bearer ${token}` };
    const ask = async (more: object) => {
      gateway.provider().behave({ usage: null });
      const body = JSON.stringify({ model: 'chat', input: 'Hello', max_output_tokens: 50, ...more });
      await (await gateway.post('/openai/v1/responses', body, bearer)).text();
    };
    await ask({});
    await ask({ background: true });
    const [background, other] = await readUsage(2);
    expect(background).toMatchObject({ output_tokens: 50, usage_source: 'estimated' });
    expect(other!['output_tokens']).toBeLessThan(50);
  });

  it.each([
    ['that its provider refused', { status: 400 }, 'error', 'provider_400', { cost_usd: 0 }],
    ['that its provider sent elsewhere', { status: 302 }, 'error', 'provider_302', { cost_usd: 0 }],
    ['that broke off', { cutAfterEvents: 3 }, 'error', 'stream_broken', { usage_source: 'partial' }],
    ['that failed on the way', { errorAfterEvents: 3 }, 'error', 'provider_error', { usage_source: 'estimated' }],
    ['that nobody counted', { usage: null }, 'ok', null, { usage_source: 'estimated' }],
  ])('%s is a row, too', async (_what, behaviour, status, errorClass, more) => {
    const { post, readUsage } = await open();
    gateway.provider().behave(behaviour);
    await (await post('chat', { stream: true })).text().catch(() => undefined);
    expect(await readUsage(1)).toMatchObject([{ status, error_class: errorClass, ...more }]);
  });

  it('that the kill switch refused is a row, too', async () => {
    const { post, readUsage, token, accountId } = await open();
    expect((await gateway.people.call('PUT', '/account/kill-switch', token, { engaged: true })).status).toBe(200);
    expect((await post('chat')).status).toBe(403);
    expect(gateway.provider().requests).toEqual([]);
    expect(await readUsage(1)).toMatchObject([
      {
        ...{
          account_id: accountId,
          endpoint: 'chat/completions',
          status: 'refused',
          error_class: 'kill_switch_engaged',
        },
        ...{ model_alias: null, cost_usd: 0, usage_source: null },
      },
    ]);
  });

  it('that was never sent is a row, too', async () => {
    const { post, readUsage, addModel } = await open();
    expect((await post('chat', { model: 'none' })).status).toBe(404);
    await addModel({ alias: 'away', provider: 'openai', base_url: 'https://away.invalid/v1', prices: PRICES });
    expect((await post('chat', { model: 'away' })).status).toBe(502);
    expect(await readUsage(2)).toMatchObject([
      { model_alias: 'away', status: 'error', error_class: 'provider_unreachable', cost_usd: 0, usage_source: null },
      { model_alias: null, status: 'refused', error_class: 'model_not_found', cost_usd: 0, usage_source: null },
    ]);
  });
});

describe('a call that was sent and never answered (GW-12)', () => {
  const sized = (row: Record<string, unknown> | undefined) => [row!['input_tokens'], row!['output_tokens']] as number[];

  it('counts with its input, and with what could be written until its connection broke, at most what it held: each attempt', async () => {
    const { post, readUsage } = await open();
    gateway.provider().behave({ reset: true }, 3);
    expect((await post('chat', { max_tokens: 1 })).status).toBe(502);
    const [row] = await readUsage(1);
    expect(row).toMatchObject({
      ...{ status: 'error', error_class: 'provider_unreachable', usage_source: 'estimated', output_tokens: 3 },
      ...{ cost_usd: sized(row).reduce((sum, tokens) => sum + tokens) },
    });
    expect(row!['input_tokens']).toBeGreaterThan(3 * 10);
  });

  it('counts at the price of the model that was asked, not of one that was not reached in its place', async () => {
    const { post, readUsage, addModel } = await open();
    const free = { ...PRICES, input_per_mtok_usd: 0, output_per_mtok_usd: 0 };
    const away = { alias: 'away', provider: 'openai', base_url: 'https://away.invalid/v1', prices: free };
    const fallback_model_ids = [await addModel(away)];
    await addModel({ alias: 'backed', provider: 'openai', prices: PRICES, fallback_model_ids });
    gateway.provider().behave({ reset: true }, 3);
    expect((await post('chat', { model: 'backed' })).status).toBe(502);
    const [row] = await readUsage(1);
    expect(row).toMatchObject({ model_alias: 'backed', cost_usd: sized(row).reduce((sum, tokens) => sum + tokens) });
    expect(row!['cost_usd']).toBeGreaterThan(3 * 10);
  });

  it('counts beside the attempt that was answered, unless it was lost at once', async () => {
    const { post, readUsage } = await open();
    const usage = { input: 10, cachedInput: 0, output: 5 };
    for (const firstByteMs of [0, 1100]) {
      gateway.provider().behave({ reset: true, firstByteMs });
      gateway.provider().behave({ usage });
      const response = await post('chat');
      expect([response.status, response.headers.get('x-service-attempts')]).toEqual([200, '2']);
      await response.text();
    }
    const [lostLater, lostAtOnce] = await readUsage(2);
    expect(lostAtOnce).toMatchObject({ cost_usd: 15, usage_source: 'provider', input_tokens: 10, output_tokens: 5 });
    expect(lostLater).toMatchObject({ status: 'ok', usage_source: 'estimated', output_tokens: 55 });
    expect(lostLater!['input_tokens']).toBeGreaterThan(20);
    expect(lostLater!['cost_usd']).toBe(sized(lostLater).reduce((sum, tokens) => sum + tokens));
  });

  it('counts so when its client left, too', async () => {
    const { post, readUsage } = await open();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    gateway.provider().behave({ waitBeforeEvent: () => held });
    const leaving = new AbortController();
    const left = post('chat', { max_tokens: 1, n: 3 }, leaving.signal).catch(() => undefined);
    await eventually(() => gateway.provider().requests.length === 1);
    leaving.abort();
    await left;
    const [row] = await readUsage(1);
    release();
    expect(row).toMatchObject({ status: 'aborted', error_class: null, usage_source: 'estimated', output_tokens: 3 });
    expect(row!['input_tokens']).toBeGreaterThan(10);
  });
});

describe('a hard budget (GW-11)', () => {
  it('refuses a call in the form of each provider before anything is sent, and clients do not repeat it', async () => {
    const { accessToken, addBudget, readUsage } = await open();
    const { id } = await addBudget({ limit_amount: 10 });
    const { url } = gateway.people.gateway();
    const openai = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: accessToken });
    const anthropic = new Anthropic({ baseURL: `${url}/anthropic`, apiKey: accessToken });
    const chat: unknown = await openai.chat.completions
      .create({ model: 'chat', messages: MESSAGES })
      .catch((error: unknown) => error);
    expect(chat).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(chat).toMatchObject({ code: 'budget_exceeded', message: expect.stringContaining(id) as string });
    const message: unknown = await anthropic.messages
      .create({ model: 'messages', messages: MESSAGES, max_tokens: 100 })
      .catch((error: unknown) => error);
    expect(message).toBeInstanceOf(Anthropic.PermissionDeniedError);
    expect(message).toMatchObject({ error: { error: { code: 'budget_exceeded' } } });
    expect(gateway.provider().requests).toEqual([]);
    expect(
      (await readUsage(2)).map(({ status, error_class: reason, cost_usd: cost }) => [status, reason, cost]),
    ).toEqual([
      ['refused', 'budget_exceeded', 0],
      ['refused', 'budget_exceeded', 0],
    ]);
    expect(
      (await anthropic.messages.countTokens({ model: 'messages', messages: MESSAGES })).input_tokens,
    ).toBeGreaterThan(0);
  });

  it('holds what a call may cost while it runs, and then what it cost', async () => {
    const { post, addBudget, readBudgets, readUsage } = await open();
    await addBudget({ limit_amount: 1000 });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    gateway.provider().behave({ waitBeforeEvent: () => held, usage: { input: 10, cachedInput: 0, output: 5 } });
    const running = post('chat');
    await eventually(() => gateway.provider().requests.length === 1);
    const [during] = await readBudgets();
    expect(during).toMatchObject({ spent_amount: 0 });
    expect(during!.reserved_amount).toBeGreaterThan(50);
    release();
    await (await running).text();
    expect(await readUsage(1)).toMatchObject([{ cost_usd: 15 }]);
    expect(await readBudgets()).toMatchObject([{ spent_amount: 15, reserved_amount: 0 }]);
  });

  it('holds for an image what it shows, not what it weighs', async () => {
    const { post, addBudget } = await open();
    await addBudget({ limit_amount: 6000 });
    const url = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(1_000_000)}`;
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    const response = await post('chat', { messages });
    await response.text();
    expect(response.status).toBe(200);
  });

  it('refuses a model of which nobody knows the price', async () => {
    const account = await open(null);
    await account.addModel({ alias: 'unheard', provider: 'openai', model_identifier: 'nobody-knows' });
    await account.addBudget({ limit_amount: 1000 });
    const response = await account.post('chat', { model: 'unheard' });
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code: 'unpriced_model' } }]);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(gateway.provider().requests).toEqual([]);
  });

  it('of a model that another falls back on lets that one take no call over', async () => {
    const account = await open();
    const spare = await account.addModel({
      alias: 'spare',
      provider: 'openai',
      model_identifier: 'fake-small',
      prices: PRICES,
    });
    const free = await account.addModel({
      alias: 'free',
      provider: 'openai',
      model_identifier: 'fake-free',
      prices: PRICES,
    });
    await account.addModel({ alias: 'backed', provider: 'openai', prices: PRICES, fallback_model_ids: [spare, free] });
    await account.addBudget({ limit_amount: 1, model_alias: 'spare' });
    await account.addBudget({ limit_amount: 1000 });
    gateway.provider().behave({ status: 500 }, 3);
    const response = await account.post('chat', { model: 'backed' });
    await response.text();
    expect([response.status, response.headers.get('x-service-model')]).toEqual([200, 'free']);
    const [row] = await account.readUsage(1);
    expect(row).toMatchObject({ model_alias: 'free', status: 'ok' });
    const [whole, ofSpare] = (await account.readBudgets()).toSorted((a, b) => b.spent_amount - a.spent_amount);
    expect([whole, ofSpare]).toMatchObject([
      { spent_amount: row!['cost_usd'], reserved_amount: 0 },
      { spent_amount: 0, reserved_amount: 0 },
    ]);
  });

  it('has room for a call once, whichever model takes it over', async () => {
    const account = await open();
    const spare = await account.addModel({ alias: 'spare', provider: 'openai', prices: PRICES });
    await account.addModel({ alias: 'backed', provider: 'openai', prices: PRICES, fallback_model_ids: [spare] });
    await account.addBudget({ limit_amount: 100 });
    gateway.provider().behave({ status: 500 }, 3);
    const response = await account.post('chat', { model: 'backed' });
    await response.text();
    expect([response.status, response.headers.get('x-service-model')]).toEqual([200, 'spare']);
    const [row] = await account.readUsage(1);
    expect(await account.readBudgets()).toMatchObject([{ spent_amount: row!['cost_usd'], reserved_amount: 0 }]);
  });

  it('has the room again that a call did not need as soon as its answer is there', async () => {
    const account = await open();
    await account.addBudget({ limit_amount: 120 });
    gateway.provider().behave({ usage: { input: 10, cachedInput: 0, output: 5 } }, 3);
    for (const _ of [1, 2, 3]) {
      const response = await account.post('chat');
      await response.text();
      expect(response.status).toBe(200);
    }
    expect(await account.readUsage(3)).toMatchObject([{ cost_usd: 15 }, { cost_usd: 15 }, { cost_usd: 15 }]);
  });

  it('counts by what its model is at the time of the call, whatever it was at the one before', async () => {
    const account = await open();
    await account.addBudget({ limit_amount: 60 });
    const path = `/ai-models/${account.chat}`;
    const call = async (change: object | undefined) => {
      const method = change === undefined ? 'DELETE' : 'PATCH';
      await gateway.people.call(method, path, account.token, change);
      const response = await account.post('chat');
      await response.text();
      return response.status;
    };
    const priced = (factor: number) => ({
      prices: { ...PRICES, output_per_mtok_usd: PRICES.output_per_mtok_usd * factor },
    });
    gateway.provider().behave({ usage: { input: 0, cachedInput: 0, output: 1 } }, 3);
    expect([await call(priced(0.1)), await call(priced(1)), await call(priced(0.1))]).toEqual([200, 403, 200]);
    expect([await call({ enabled: false }), await call({ enabled: true }), await call(undefined)]).toEqual([
      404, 200, 404,
    ]);
    const rows = await account.readUsage(6);
    expect(rows.map(({ error_class: reason }) => reason)).toEqual([
      'model_not_found',
      null,
      'model_not_found',
      null,
      'budget_exceeded',
      null,
    ]);
    await eventually(async () => (await account.readBudgets())[0]?.reserved_amount === 0);
  });
});
