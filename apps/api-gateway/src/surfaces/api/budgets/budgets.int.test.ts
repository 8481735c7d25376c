import { randomUUID } from 'node:crypto';
import { usePeople } from '../../../testing/people-tests.ts';

const people = usePeople();
const { call } = people;
const PATH = '/budgets';
const DAILY = { scope: 'account', period: 'daily', limit_amount: 10 };

const add = async (token: string, fields: object = {}) =>
  (await call('POST', PATH, token, { ...DAILY, ...fields })).body;
/** Records a completed call as the model gateway does. */
const book = (accountId: string, costUsd: string, more: Record<string, unknown> = {}) =>
  people.query(
    `insert into models.usage (id, account_id, occurred_at, api_key_id, flow_id, model_alias, endpoint, status, cost_usd,
       price_source, duration_ms, stream, managed_agent_id)
     values ($1, $2, $3, $4, $5, $6, 'messages', 'ok', $7, 'catalogue', 5, false, $8)`,
    [
      randomUUID(),
      accountId,
      more['at'] ?? new Date(),
      more['apiKeyId'] ?? null,
      more['flowId'] ?? null,
      more['model'] ?? 'fast',
      costUsd,
      more['agentId'] ?? null,
    ],
  );
const addAgent = async (token: string, name: string) =>
  (await call('POST', '/agents', token, { agent_kind: 'claude_code', display_name: name })).body.id as string;

describe('a budget (BUD-1)', () => {
  it('is created with its defaults, and read back as it was returned', async () => {
    const { accessToken: token } = await people.register();
    const budget = await add(token);
    const start = new Date(new Date().setUTCHours(0, 0, 0, 0));
    expect(budget).toEqual({
      id: budget.id,
      scope: 'account',
      scope_id: null,
      model_alias: null,
      period: 'daily',
      time_zone: 'UTC',
      limit_amount: 10,
      currency: 'USD',
      hard: true,
      unsized_calls: 'hold',
      thresholds_percent: [80],
      enabled: true,
      period_start: start.toISOString(),
      period_end: new Date(start.getTime() + 86_400_000).toISOString(),
      spent_amount: 0,
      reserved_amount: 0,
      percent_used: 0,
      created_at: budget.created_at,
      updated_at: budget.created_at,
    });
    expect((await call('GET', `${PATH}/${budget.id}`, token)).body).toEqual(budget);
    expect((await call('GET', PATH, token)).body).toEqual({ items: [budget], next_cursor: null });
  });

  it.each(['Asia/Kolkata', 'America/New_York'])('begins at the start of a day in %s (BUD-7)', async (zone) => {
    const { accessToken: token, accountId } = await people.register();
    const date = (at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
    await book(accountId, '0.5');
    await book(accountId, '0.25', { at: new Date(Date.now() - 2 * 86_400_000) });
    const budget = await add(token, { time_zone: zone });
    expect(budget).toMatchObject({ time_zone: zone, spent_amount: 0.5 });
    const [start, end] = [new Date(budget.period_start), new Date(budget.period_end)];
    expect([date(start), date(new Date(+start - 1)) === date(start)]).toEqual([date(new Date()), false]);
    expect([date(new Date(+end - 1)), date(end) === date(start)]).toEqual([date(start), false]);
    expect((await call('POST', PATH, token, DAILY)).status).toBe(409);
    expect((await call('PATCH', `${PATH}/${budget.id}`, token, { time_zone: 'UTC' })).status).toBe(422);
  });

  it('is visible to users who see costs, managed by users who manage budgets, and not visible to other accounts', async () => {
    const { accessToken: owner } = await people.register();
    const { accessToken: stranger } = await people.register();
    const editor = await people.add(owner, 'editor');
    const executor = await people.add(owner, 'executor');
    const { id } = await add(owner);
    expect((await call('GET', PATH, editor.token)).body.items).toHaveLength(1);
    expect((await call('POST', PATH, editor.token, DAILY)).status).toBe(403);
    expect((await call('GET', PATH, executor.token)).status).toBe(403);
    for (const [method, body] of [['GET'], ['PATCH', { hard: false }], ['DELETE']] as const) {
      expect((await call(method, `${PATH}/${id}`, stranger, body)).status).toBe(404);
    }
  });

  it('can be changed only in its limit, enforcement, thresholds and enabled state', async () => {
    const { accessToken: token } = await people.register();
    const { id } = await add(token);
    const terms = { limit_amount: 0.000001, hard: false, thresholds_percent: [90, 50], enabled: false };
    const { body } = await call('PATCH', `${PATH}/${id}`, token, terms);
    expect(body).toMatchObject({ ...terms, thresholds_percent: [50, 90], scope: 'account', period: 'daily' });
    expect((await call('PATCH', `${PATH}/${id}`, token, { enabled: true })).body).toMatchObject({
      ...terms,
      thresholds_percent: [50, 90],
      enabled: true,
    });
    expect((await call('DELETE', `${PATH}/${id}`, token)).status).toBe(204);
    expect((await call('GET', `${PATH}/${id}`, token)).status).toBe(404);
  });

  it('is unique per scope, model and period', async () => {
    const { accessToken: token } = await people.register();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', PATH, token, DAILY)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    for (const other of [{ period: 'weekly' }, { model_alias: 'fast' }, { model_alias: 'slow' }]) {
      expect((await call('POST', PATH, token, { ...DAILY, ...other })).status).toBe(201);
    }
  });

  it.each<[string, object, number, string]>([
    ['without a limit', { limit_amount: undefined }, 422, 'limit_amount'],
    ['with a limit of zero', { limit_amount: 0 }, 422, 'limit_amount'],
    ['with a negative limit', { limit_amount: -1 }, 422, 'limit_amount'],
    ['with too many decimals', { limit_amount: 0.0000001 }, 422, 'limit_amount'],
    ['with an unknown period', { period: 'fortnightly' }, 422, 'period'],
    ['of an unknown time zone', { time_zone: 'Europe/Nowhere' }, 422, 'time_zone'],
    ['with an offset instead of a time zone', { time_zone: '+01:00' }, 422, 'time_zone'],
    ['of another currency', { currency: 'EUR' }, 422, 'currency'],
    ['with a scope but no id', { scope: 'api_key' }, 422, 'scope_id'],
    ['of an account with an id', { scope_id: randomUUID() }, 422, 'scope_id'],
    ['of an unknown key', { scope: 'api_key', scope_id: randomUUID() }, 422, 'scope_id'],
    ['of an unknown flow', { scope: 'flow', scope_id: randomUUID() }, 422, 'scope_id'],
    ['of an unknown agent', { scope: 'managed_agent', scope_id: randomUUID() }, 422, 'scope_id'],
    ['with six thresholds', { thresholds_percent: [1, 2, 3, 4, 5, 6] }, 422, 'thresholds_percent'],
    ['with a threshold above the maximum', { thresholds_percent: [101] }, 422, 'thresholds_percent.0'],
    ['with an unknown field', { colour: 'red' }, 422, 'colour'],
  ])('%s is refused', async (_what, fields, status, field) => {
    const { accessToken: token } = await people.register();
    const answer = await call('POST', PATH, token, { ...DAILY, ...fields });
    expect([answer.status, answer.body.detail?.field]).toEqual([status, field]);
    expect((await call('GET', PATH, token)).body.items).toEqual([]);
  });
});

describe('the spending of a budget (BUD-2)', () => {
  it('is counted from the beginning of the period, including what was spent before the budget existed', async () => {
    const { accessToken: token, accountId } = await people.register();
    const key = (await call('POST', '/auth/api-keys', token, { name: 'k' })).body;
    await book(accountId, '0.1');
    await book(accountId, '0.2', { apiKeyId: key.id, model: 'slow' });
    await book(accountId, '0.4', { at: new Date(Date.now() - 400 * 86_400_000) });
    await book((await people.register()).accountId, '5');
    const spent = async (fields: object) => (await add(token, { limit_amount: 1, ...fields })).spent_amount;
    expect(await spent({ period: 'yearly' })).toBe(0.3);
    expect(await spent({ period: 'all_time' })).toBe(0.7);
    expect(await spent({ period: 'yearly', model_alias: 'slow' })).toBe(0.2);
    expect(await spent({ period: 'yearly', scope: 'api_key', scope_id: key.id })).toBe(0.2);
    const items = (await call('GET', PATH, token)).body.items;
    expect(items.map(({ percent_used: used }: { percent_used: number }) => used)).toEqual([20, 20, 70, 30]);
    expect(items[2]).toMatchObject({ period: 'all_time', period_start: null, period_end: null });
  });

  it('is the sum of both agents after a merge, in each of their budgets', async () => {
    const { accessToken: token, accountId } = await people.register();
    const [agent, duplicate] = [await addAgent(token, 'one'), await addAgent(token, 'two')];
    const limit = (scopeId: string, fields: object) =>
      add(token, { scope: 'managed_agent', scope_id: scopeId, ...fields });
    const [kept, moved, ofModel, gone] = [
      await limit(agent, { period: 'yearly' }),
      await limit(duplicate, { period: 'all_time' }),
      await limit(duplicate, { period: 'yearly', model_alias: 'slow' }),
      await limit(duplicate, { period: 'yearly' }),
    ];
    await book(accountId, '0.1', { agentId: agent });
    await book(accountId, '0.2', { agentId: duplicate });
    await book(accountId, '0.4', { agentId: agent, model: 'slow' });
    await book(accountId, '0.8', { agentId: duplicate, at: new Date(Date.now() - 400 * 86_400_000) });
    await call('POST', `/agents/${agent}/merge`, token, { duplicate_agent_id: duplicate });
    const read = async ({ id }: { id: string }) => (await call('GET', `${PATH}/${id}`, token)).body;
    expect(await read(kept)).toMatchObject({ scope_id: agent, spent_amount: 0.7 });
    expect(await read(moved)).toMatchObject({ scope_id: agent, spent_amount: 1.5 });
    expect(await read(ofModel)).toMatchObject({ scope_id: agent, spent_amount: 0.4 });
    expect((await call('GET', `${PATH}/${gone.id}`, token)).status).toBe(404);
  });

  it('is separate per agent, and includes merged agents', async () => {
    const { accessToken: token, accountId } = await people.register();
    const [agent, duplicate, other] = [
      await addAgent(token, 'one'),
      await addAgent(token, 'two'),
      await addAgent(token, 'three'),
    ];
    await book(accountId, '0.1', { agentId: agent });
    await book(accountId, '0.2', { agentId: duplicate });
    await book(accountId, '0.4', { agentId: other });
    await book(accountId, '0.8');
    const spent = async (fields: object) =>
      (await add(token, { period: 'yearly', scope: 'managed_agent', ...fields })).spent_amount;
    expect(await spent({ scope_id: agent })).toBe(0.1);
    expect(await spent({ scope_id: other })).toBe(0.4);
    await call('POST', `/agents/${agent}/merge`, token, { duplicate_agent_id: duplicate });
    expect(await spent({ scope_id: agent, period: 'all_time' })).toBe(0.3);
  });
});
