import { shortenPauses } from '@steward/process/testing';
import { eventually } from '@steward/testing';
import OpenAI from 'openai';
import { startBackgroundProvider, USAGE, type BackgroundProvider } from '../../../testing/background-provider.ts';
import { registerAgent } from '../../../testing/register-agent.ts';
import { usePeople } from '../../../testing/people-tests.ts';

// Every test waits for a background task, so the pauses between such tasks are shortened.
afterAll(shortenPauses('responses in the background'));
const environment: Record<string, string> = { ACCOUNT_RATE_PER_MINUTE: '1000000' };
let provider: BackgroundProvider;
beforeAll(async () => {
  provider = await startBackgroundProvider();
  environment['MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS'] = provider.receiver.url;
});
afterAll(() => provider.receiver.close());
afterEach(() => provider.fail(undefined));
const people = usePeople(environment);

/** Prices of one dollar per token. */
const PRICES = { input_per_mtok_usd: 1_000_000, output_per_mtok_usd: 1_000_000 };
const COST = USAGE.total_tokens;
const ASK = { model: 'm', input: 'Think long', background: true, max_output_tokens: 50 } as const;

async function open() {
  const account = await people.register();
  const { accessToken: token } = account;
  const fields = { alias: 'm', provider: 'openai', base_url: `${provider.receiver.url}/v1`, model_identifier: 'gpt' };
  expect((await people.call('POST', '/ai-models', token, { ...fields, prices: PRICES })).status).toBe(201);
  const budget = { scope: 'account', period: 'yearly', limit_amount: 100_000 };
  expect((await people.call('POST', '/budgets', token, budget)).status).toBe(201);
  const connect = (apiKey = token, url = people.gateway().url) =>
    new OpenAI({ baseURL: `${url}/openai/v1`, apiKey, maxRetries: 0 });
  const readRows = async () => (await people.call('GET', '/usage', token)).body.items as Record<string, unknown>[];
  const readBudget = async () => {
    const [budget] = (await people.call('GET', '/budgets', token)).body.items;
    return { spent: budget.spent_amount as number, reserved: budget.reserved_amount as number };
  };
  return {
    ...account,
    token,
    connect,
    client: connect(),
    readRows,
    readBudget,
    /** Expects a single row for all responses that were started, and no remaining reservation. */
    async expectBooked(row: object, spent?: number) {
      await eventually(async () => (await readBudget()).reserved === 0);
      const rows = await readRows();
      expect(rows).toMatchObject([{ endpoint: 'responses', model_alias: 'm', ...row }]);
      expect((await readBudget()).spent).toBe(spent ?? rows[0]!['cost_usd']);
    },
    lookNow: () =>
      people.query(
        `update models.background_response set next_look_at = now() - interval '1 second'
         where account_id = $1 and next_look_at is not null`,
        [account.accountId],
      ),
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function status(asked: Promise<unknown>): Promise<number> {
  return asked.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  );
}

describe('a background response (GW-18)', () => {
  it('reserves its maximum cost until its end has been read, and is recorded once', async () => {
    const { client, accountId, readBudget, readRows, expectBooked } = await open();
    const made = await client.responses.create(ASK);
    expect(made).toMatchObject({ status: 'queued', id: provider.begun.at(-1)?.id });
    expect(await client.responses.retrieve(made.id)).toMatchObject({ status: 'queued' });
    const before = await readBudget();
    expect([before.spent, before.reserved > 50, await readRows()]).toEqual([0, true, []]);
    const [held] = await people.query(
      `select alive_until > now() + interval '24 hours' as lasts from budgets.reservation where account_id = $1`,
      [accountId],
    );
    expect(held).toEqual({ lasts: true });
    provider.finish();
    const read = await Promise.all([1, 2, 3].map(() => client.responses.retrieve(made.id)));
    expect(read.map(({ output_text: text }) => text)).toEqual(Array(3).fill('The answer at the end'));
    await expectBooked({ status: 'ok', input_tokens: 100, output_tokens: 7, usage_source: 'provider' }, COST);
    expect(await client.responses.retrieve(made.id)).toMatchObject({ status: 'completed' });
    await expectBooked({ status: 'ok' }, COST);
  });

  it('is also answered for HEAD, without its body', async () => {
    const { client, token } = await open();
    const { id } = await client.responses.create(ASK);
    const url = `${people.gateway().url}/openai/v1/responses/${id}`;
    const answer = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(await client.responses.retrieve(id)).toMatchObject({ status: 'queued' });
  });

  it.each([
    [' without known usage', 'cancelled', null, { status: 'aborted', usage_source: 'estimated' }],
    [' with known usage', 'cancelled', USAGE, { status: 'aborted', usage_source: 'provider', cost_usd: COST }],
  ] as const)('that is cancelled%s is recorded at that time', async (_name, end, usage, row) => {
    const { client, expectBooked } = await open();
    const { id } = await client.responses.create(ASK);
    provider.finish(undefined, { status: 'in_progress', usage });
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: end });
    await expectBooked(row);
  });

  it.each([
    ['failed', null, { status: 'error', error_class: 'provider_error', cost_usd: 0 }],
    ['incomplete', USAGE, { status: 'ok', cost_usd: COST }],
    ['completed', null, { status: 'ok', usage_source: 'estimated', output_tokens: 50 }],
  ] as const)('that is %s is recorded with any usage that its provider reported', async (end, usage, row) => {
    const { client, expectBooked } = await open();
    const { id } = await client.responses.create(ASK);
    provider.finish(undefined, { status: end, usage });
    await client.responses.retrieve(id);
    await expectBooked(row);
  });

  it('supports retrieval with a query, of its items, and of its events from a given position', async () => {
    const { client, expectBooked } = await open();
    const { id } = await client.responses.create(ASK);
    expect((await client.responses.inputItems.list(id, { limit: 3 })).data).toEqual([{ type: 'message' }]);
    expect(provider.receiver.requests.at(-1)?.path).toBe(`/v1/responses/${id}/input_items?limit=3`);
    provider.finish();
    const events = await client.responses.retrieve(id, { stream: true, starting_after: 3 });
    const types: string[] = [];
    for await (const event of events) types.push(event.type);
    expect(types).toEqual(['response.completed']);
    expect(provider.receiver.requests.map(({ path }) => path)).toContain(
      `/v1/responses/${id}?stream=true&starting_after=3`,
    );
    await expectBooked({ cost_usd: COST }, COST);
  });

  it('that is streamed to its end is recorded once, and can still be retrieved', async () => {
    const { client, expectBooked } = await open();
    const types: string[] = [];
    for await (const event of await client.responses.create({ ...ASK, stream: true })) {
      types.push(event.type);
      if (event.type === 'response.created') provider.finish();
    }
    expect(types).toEqual(['response.created', 'response.completed']);
    await expectBooked({ cost_usd: COST, stream: true, usage_source: 'provider' }, COST);
    expect(await client.responses.retrieve(provider.begun.at(-1)!.id)).toMatchObject({ status: 'completed' });
    await expectBooked({ cost_usd: COST }, COST);
  });

  it('is stored in its session when it begins and when it ends', async () => {
    const { client, token, expectBooked } = await open();
    const { id } = await client.responses.create(ASK);
    provider.finish();
    await client.responses.retrieve(id);
    await expectBooked({ cost_usd: COST });
    const sessions = (await people.call('GET', '/runtime-sessions', token)).body.items as { id: string }[];
    const read = async () =>
      (await people.call('GET', `/runtime-sessions/${sessions[0]!.id}/timeline`, token)).body.items as object[];
    await eventually(async () => (await read()).length === 2);
    const text = JSON.stringify(await read());
    expect([text.includes('Think long'), text.includes('The answer at the end')]).toEqual([true, true]);
  });

  it('is refused while a thousand other background responses are in progress (LIM-87)', async () => {
    const { client, accountId, readRows } = await open();
    await people.query(
      `insert into models.background_response (account_id, call_id, response_id, owner, model_id, model_alias, call,
         created_at, next_look_at)
       select $1, gen_random_uuid(), 'r' || i, 'user:x', gen_random_uuid(), 'm', '{}', now(), now() + interval '1 day'
       from generate_series(1, 1000) i`,
      [accountId],
    );
    const before = provider.begun.length;
    expect(await status(client.responses.create(ASK))).toBe(409);
    expect(provider.begun).toHaveLength(before);
    await eventually(async () => (await readRows()).length === 1);
    expect(await readRows()).toMatchObject([{ status: 'refused', error_class: 'quota_reached', cost_usd: 0 }]);
  });

  it('is tracked even if its client disconnects before the response', async () => {
    const { client, expectBooked } = await open();
    const leaving = new AbortController();
    const release = provider.holdNext();
    const before = provider.begun.length;
    const asked = status(client.responses.create(ASK, { signal: leaving.signal }));
    await eventually(() => provider.begun.length > before);
    leaving.abort();
    await asked;
    release();
    const { id } = provider.begun.at(-1)!;
    provider.finish();
    await eventually(async () => (await status(client.responses.retrieve(id))) === 200);
    await expectBooked({ cost_usd: COST, status: 'ok' }, COST);
  });

  it('is tracked even if its client disconnects from its stream', async () => {
    const { client, expectBooked } = await open();
    const leaving = new AbortController();
    const stream = await client.responses.create({ ...ASK, stream: true }, { signal: leaving.signal });
    for await (const event of stream) {
      expect(event.type).toBe('response.created');
      break;
    }
    leaving.abort();
    const { id } = provider.begun.at(-1)!;
    provider.finish();
    expect(await client.responses.retrieve(id)).toMatchObject({ status: 'completed' });
    await expectBooked({ cost_usd: COST, stream: true }, COST);
  });

  it('that nobody retrieves is recorded by a process that started later', async () => {
    const { connect, lookNow, expectBooked, readRows } = await open();
    const twin = await people.gateway().startTwin();
    await connect(undefined, twin.url).responses.create(ASK);
    await twin.close();
    await lookNow();
    provider.finish();
    await eventually(async () => (await readRows()).length === 1 || (await lookNow(), false), { intervalMs: 500 });
    await expectBooked({ cost_usd: COST, status: 'ok' }, COST);
  });

  it('that its provider no longer stores is recorded with its reserved cost', async () => {
    const { client, lookNow, expectBooked, readRows } = await open();
    await client.responses.create(ASK);
    provider.finish(undefined, { isDeleted: true });
    await eventually(async () => (await lookNow(), (await readRows()).length === 1), { intervalMs: 500 });
    await expectBooked({ status: 'error', error_class: 'background_lost', output_tokens: 50 });
  });

  it('that is deleted can no longer be retrieved, and is recorded with its last known usage or its reserved cost', async () => {
    for (const [isOver, row] of [
      [true, { cost_usd: COST }],
      [false, { error_class: 'background_deleted', output_tokens: 50 }],
    ] as const) {
      const { client, expectBooked } = await open();
      const { id } = await client.responses.create(ASK);
      if (isOver) provider.finish();
      await client.responses.delete(id);
      await expectBooked(row);
      expect(await status(client.responses.retrieve(id))).toBe(404);
    }
  });

  it('cannot be retrieved by other accounts, other people, or agents', async () => {
    const { client, token, connect } = await open();
    const { id } = await client.responses.create(ASK);
    const other = await open();
    const colleague = await people.add(token, 'admin');
    const addKey = async (fields: object) =>
      (await people.call('POST', '/auth/api-keys', token, { name: `k${Math.random()}`, ...fields })).body.key as string;
    const agent = await registerAgent(people.gateway(), token);
    const ofAgent = await addKey({ runtime_principal: { type: 'managed_agent', id: agent } });
    for (const one of [other.client, connect(colleague.token), connect(ofAgent)]) {
      expect(await status(one.responses.retrieve(id))).toBe(404);
      expect(await status(one.responses.cancel(id))).toBe(404);
      expect(await status(one.responses.delete(id))).toBe(404);
      expect(await status(one.responses.inputItems.list(id) as unknown as Promise<unknown>)).toBe(404);
    }
    expect(await status(connect(await addKey({})).responses.retrieve(id))).toBe(200);
    const limited = await addKey({ scopes: ['view_runtime_sessions'] });
    expect(await status(connect(limited).responses.retrieve(id))).toBe(403);
  });

  it('can be retrieved and cancelled while the kill switch is engaged, but no new one can be started', async () => {
    const { client, token, readBudget } = await open();
    const { id } = await client.responses.create(ASK);
    await people.call('PUT', '/account/kill-switch', token, { engaged: true });
    expect(await status(client.responses.create(ASK))).toBe(403);
    expect(await client.responses.retrieve(id)).toMatchObject({ status: 'queued' });
    await client.responses.cancel(id);
    await eventually(async () => (await people.call('GET', '/usage', token)).body.items.length === 2);
    expect((await readBudget()).reserved).toBe(0);
  });

  it.each([400, 404, 429, 500])('passes on a %s from its provider, and can then still be retrieved', async (code) => {
    const { client, readRows }: Opened = await open();
    const { id } = await client.responses.create(ASK);
    provider.fail(code);
    const failed = await client.responses
      .retrieve(id)
      .catch((error: unknown) => error as { status: number; error: unknown });
    expect(failed).toMatchObject({ status: code, error: { message: 'as it is', type: 'of theirs' } });
    expect(await readRows()).toEqual([]);
    provider.fail(undefined);
    expect(await status(client.responses.retrieve(id))).toBe(200);
  });
});
