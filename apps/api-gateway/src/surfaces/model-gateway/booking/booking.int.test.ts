import { eventually } from '@steward/testing';
import { PATHS, PRICES, useBooking } from '../../../testing/booking-tests.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Hello' }];
const { gateway, open } = useBooking();

describe('a finished call (GW-12)', () => {
  it.each(['chat', 'messages'] as const)('is one row with the provider’s usage, streamed or not: %s', async (model) => {
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
  });

  it('for embeddings has no output tokens, and a token count call has no tokens', async () => {
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

  it('is charged up to the point at which its client disconnected', async () => {
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

  it('that continues in the background is recorded with its reserved cost', async () => {
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
    ['that its provider redirected', { status: 302 }, 'error', 'provider_302', { cost_usd: 0 }],
    ['whose connection broke', { cutAfterEvents: 3 }, 'error', 'stream_broken', { usage_source: 'partial' }],
    [
      'that failed during its stream',
      { errorAfterEvents: 3 },
      'error',
      'provider_error',
      { usage_source: 'estimated' },
    ],
    [
      'with more cached tokens than input tokens',
      { usage: { input: 10, cachedInput: 40, output: 7 } },
      'ok',
      null,
      { input_tokens: 10, cached_input_tokens: 10, cost_usd: 7 },
    ],
    ['without usage from its provider', { usage: null }, 'ok', null, { usage_source: 'estimated' }],
  ])('%s is also recorded', async (_what, behaviour, status, errorClass, more) => {
    const { post, readUsage } = await open();
    gateway.provider().behave(behaviour);
    await (await post('chat', { stream: true })).text().catch(() => undefined);
    expect(await readUsage(1)).toMatchObject([{ status, error_class: errorClass, ...more }]);
  });

  it('that was refused because of the kill switch is also recorded', async () => {
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

  it('that was never sent is also recorded', async () => {
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

describe('a call that was sent but received no response (GW-12)', () => {
  const sized = (row: Record<string, unknown> | undefined) => [row!['input_tokens'], row!['output_tokens']] as number[];

  it('is charged for its input and the possible output until its connection broke, for each attempt, but at most its reservation', async () => {
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

  it('is priced by the model that was called, not by a fallback that was not called', async () => {
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

  it('is charged in addition to the successful attempt, unless it failed immediately', async () => {
    const loseOne = async (firstByteMs: number) => {
      const { post, readUsage } = await open();
      gateway.provider().behave({ reset: true, firstByteMs });
      gateway.provider().behave({ usage: { input: 10, cachedInput: 0, output: 5 } });
      const response = await post('chat');
      expect([response.status, response.headers.get('x-service-attempts')]).toEqual([200, '2']);
      await response.text();
      return (await readUsage(1))[0];
    };
    // The attempt is repeated if the machine stalled for a second, because the connection was then not lost at once.
    await eventually(async () => {
      const lostAtOnce = await loseOne(0);
      expect(lostAtOnce).toMatchObject({ cost_usd: 15, usage_source: 'provider', input_tokens: 10, output_tokens: 5 });
      return true;
    });
    const lostLater = await loseOne(1100);
    expect(lostLater).toMatchObject({ status: 'ok', usage_source: 'estimated', output_tokens: 55 });
    expect(lostLater!['input_tokens']).toBeGreaterThan(20);
    expect(lostLater!['cost_usd']).toBe(sized(lostLater).reduce((sum, tokens) => sum + tokens));
  });

  it('is charged in the same way when its client disconnects', async () => {
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
