import Anthropic from '@anthropic-ai/sdk';
import { eventually } from '@steward/testing';
import OpenAI from 'openai';
import { PRICES, useBooking } from '../../../testing/booking-tests.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Hello' }];
const { gateway, open } = useBooking();

describe('a hard budget (GW-11)', () => {
  it('refuses a call in the format of each provider before anything is sent, and clients do not retry it', async () => {
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

  it('reserves the maximum cost of a call while it runs, and then records its cost', async () => {
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

  it('reserves the cost of an image according to its dimensions, not its size in bytes', async () => {
    const { post, addBudget } = await open();
    await addBudget({ limit_amount: 6000 });
    const url = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(1_000_000)}`;
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    const response = await post('chat', { messages });
    await response.text();
    expect(response.status).toBe(200);
  });

  it.each([
    [
      'chat',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] },
      'messages: file_id',
    ],
    ['chat', { web_search_options: { search_context_size: 'high' } }, 'web_search_options'],
    ['chat', { service_tier: 'priority' }, 'service_tier'],
    ['messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools'],
    ['messages', { container: 'container_1' }, 'container'],
  ] as const)('reserves the maximum input for content outside the body of %s: %j', async (model, fields, named) => {
    const { post, addBudget } = await open({ input_per_mtok_usd: 1000, output_per_mtok_usd: 1000 });
    await addBudget({ limit_amount: 0.15 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(model, fields)));
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      const { error } = (await answer.json()) as { error: { message: string } };
      expect(error.message).toContain(`The call refers to content that is not in its body ("${named}")`);
    }
    expect(gateway.provider().requests).toEqual([]);
    expect((await post(model)).status).toBe(200);
  });

  it('refuses calls with external content if the account is configured to do so, however much is left (BUD-6)', async () => {
    const { post, addBudget } = await open({ input_per_mtok_usd: 1, output_per_mtok_usd: 1 });
    await addBudget({ limit_amount: 1000, unsized_calls: 'refuse' });
    const answer = await post('chat', { web_search_options: {} });
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      {
        error: {
          code: 'unsized_call',
          message: expect.stringMatching(/refuses such calls\. .*"web_search_options"\)\.$/) as string,
        },
      },
    ]);
    expect(gateway.provider().requests).toEqual([]);
    expect((await post('chat')).status).toBe(200);
  });

  it('reserves the maximum input for a call with a URL, and releases the unused part', async () => {
    const { post, addBudget, readBudgets, readUsage } = await open({ input_per_mtok_usd: 1, output_per_mtok_usd: 1 });
    await addBudget({ limit_amount: 2 });
    const url = 'https://a.example/x.png';
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    const response = await post('chat', { messages });
    await response.text();
    expect(response.status).toBe(200);
    const [row] = await readUsage(1);
    expect(Number((row as { cost_usd: number }).cost_usd)).toBeLessThan(0.01);
    expect(await readBudgets()).toMatchObject([{ reserved_amount: 0 }]);
  });

  it('records the reserved cost for external content without a token count, and nothing more for tools', async () => {
    const { post, addBudget, readUsage } = await open({ input_per_mtok_usd: 1, output_per_mtok_usd: 1 });
    await addBudget({ limit_amount: 10 });
    gateway.provider().behave({ usage: null });
    const url = 'https://a.example/x.png';
    await (
      await post('chat', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] })
    ).text();
    await (await post('chat', { tools: [{ type: 'web_search' }] })).text();
    const [searching, reading] = (await readUsage(2)).map(({ cost_usd: cost }) => Number(cost)).sort((a, b) => a - b);
    expect(reading).toBeGreaterThan(1);
    expect(searching).toBeLessThan(0.01);
  });

  it('refuses a model without a price', async () => {
    const account = await open(null);
    await account.addModel({ alias: 'unheard', provider: 'openai', model_identifier: 'nobody-knows' });
    await account.addBudget({ limit_amount: 1000 });
    const response = await account.post('chat', { model: 'unheard' });
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code: 'unpriced_model' } }]);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(gateway.provider().requests).toEqual([]);
  });

  it('on a fallback model prevents a fallback to that model', async () => {
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

  it('makes only one reservation for a call, covering every model that may serve it', async () => {
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

  it('frees the unused part of a reservation as soon as the response is complete', async () => {
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

  it('uses the price of the model at the time of the call, not the price of an earlier call', async () => {
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
