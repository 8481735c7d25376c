import { newId } from '@steward/crypto';
import { listUsage, summarizeUsage, type UsageGroup, type UsageRow } from '../../index.ts';
import { buildUsage, openModels, type OpenModels } from '../../testing/open-models.ts';

let models: OpenModels;
beforeAll(async () => {
  models = await openModels();
});
afterAll(() => models.close());

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));
const list = (accountId: string, more: object = {}) => listUsage(models.db, { accountId, limit: 50, ...more });
const summarize = (accountId: string, groupBy: UsageGroup, more: object = {}) =>
  summarizeUsage(models.db, { accountId, groupBy, limit: 100, timeoutMs: 60_000, ...more });

describe('a usage row (USE-1)', () => {
  it('is read as it was recorded, with the exact cost', async () => {
    const row = buildUsage(newId(), {
      apiKeyId: newId(),
      userId: newId(),
      managedAgentId: 'agent-1',
      executionId: newId(),
      flowId: newId(),
      runtimeSessionId: newId(),
      modelId: newId(),
      costUsd: '12345678.000000000001',
      stream: true,
      errorClass: 'provider_timeout',
      status: 'error',
    });
    await models.book([row]);
    expect(await list(row.accountId)).toEqual([row]);
  });

  it('is stored for refused calls, which have no usage (USE-2, USE-3)', async () => {
    const none = { inputTokens: null, cachedInputTokens: null, outputTokens: null, firstByteMs: null } as const;
    const row = buildUsage(newId(), {
      ...none,
      costUsd: null,
      priceSource: 'unknown',
      usageSource: null,
      status: 'refused',
    });
    await models.book([row]);
    expect(await list(row.accountId)).toEqual([row]);
  });

  it('is stored whatever usage a provider reports and whatever model name a client sends', async () => {
    const row = buildUsage(newId(), { inputTokens: -1, outputTokens: 1e300, modelAlias: `a\0${'x'.repeat(300)}` });
    await models.book([row]);
    const [stored] = await list(row.accountId);
    expect([stored?.inputTokens, stored?.modelAlias?.length]).toEqual([0, 255]);
  });

  it('exists once per call, and is replaced once when the actual values are known (USE-4)', async () => {
    const account = newId();
    const assumed = buildUsage(account, { usageSource: 'assumed', costUsd: '1' });
    expect(await models.book([assumed])).toEqual([assumed.id]);
    expect(await models.book([{ ...assumed, costUsd: '2' }])).toEqual([]);
    const known: UsageRow = { ...assumed, usageSource: 'provider', costUsd: '0.4', outputTokens: 7 };
    expect(await models.book([known])).toEqual([assumed.id]);
    expect(
      await models.book(
        [
          { ...known, costUsd: '9' },
          { ...assumed, costUsd: '9' },
        ].slice(0, 1),
      ),
    ).toEqual([]);
    expect(await models.book([assumed])).toEqual([]);
    expect(await list(account)).toEqual([known]);
  });
});

describe('the list of usage (USE-5)', () => {
  it('is newest first, in pages that do not miss or repeat a row', async () => {
    const account = newId();
    const rows = [3, 1, 2, 2, 2].map((hour) => buildUsage(account, { occurredAt: at(hour) }));
    await models.book(rows);
    await models.book([buildUsage(newId())]);
    const seen: UsageRow[] = [];
    for (;;) {
      const last = seen.at(-1);
      const after = last === undefined ? undefined : { at: last.occurredAt, id: last.id };
      const page = await list(account, { after, limit: 2 });
      seen.push(...page.slice(0, 2));
      if (page.length <= 2) break;
    }
    expect(seen.map(({ occurredAt }) => occurredAt.getUTCHours())).toEqual([3, 2, 2, 2, 1]);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
  });

  it.each<[string, Partial<UsageRow>, object]>([
    [
      'model id',
      { modelId: '0198a5a8-0000-7000-8000-000000000001' },
      { modelId: '0198a5a8-0000-7000-8000-000000000001' },
    ],
    ['model name', { modelAlias: 'slow' }, { modelAlias: 'slow' }],
    ['provider', { provider: 'anthropic' }, { provider: 'anthropic' }],
    ['endpoint', { endpoint: 'messages' }, { endpoint: 'messages' }],
    ['outcome', { status: 'refused' }, { status: 'refused' }],
    ['agent', { managedAgentId: 'agent-2' }, { managedAgentIds: ['agent-2', 'merged'] }],
    ['start time', { occurredAt: at(20) }, { since: at(20) }],
    ['end time', { occurredAt: at(1) }, { until: at(2) }],
    ...(['apiKeyId', 'userId', 'flowId', 'executionId', 'runtimeSessionId'] as const).map(
      (name): [string, Partial<UsageRow>, object] => {
        const id = newId();
        return [name, { [name]: id }, { [name]: id }];
      },
    ),
  ])('is filtered by %s', async (_what, fields, filter) => {
    const account = newId();
    const wanted = buildUsage(account, fields);
    await models.book([buildUsage(account), wanted]);
    expect(await list(account, filter)).toEqual([wanted]);
  });
});

describe('a summary of usage (USE-6)', () => {
  it('contains sums by each group, exactly, and the total', async () => {
    const account = newId();
    const ids = { apiKeyId: newId(), managedAgentId: 'agent-1', flowId: newId(), runtimeSessionId: newId() };
    await models.book([
      ...Array.from({ length: 10 }, () => buildUsage(account, { ...ids, costUsd: '0.1', cachedInputTokens: 5 })),
      buildUsage(account, { modelAlias: 'slow', costUsd: '0.000000000001', occurredAt: at(30) }),
      buildUsage(account, { costUsd: null, priceSource: 'unknown', status: 'refused' }),
    ]);
    await models.book([buildUsage(newId())]);
    const byModel = await summarize(account, 'model');
    expect(byModel.groups.map(({ key, calls, costUsd }) => [key, calls, costUsd])).toEqual([
      ['fast', 11, '1'],
      ['slow', 1, '0.000000000001'],
    ]);
    expect(byModel.total).toEqual({
      calls: 12,
      refusedCalls: 1,
      unpricedCalls: 1,
      inputTokens: 12_000,
      cachedInputTokens: 50,
      outputTokens: 1200,
      costUsd: '1.000000000001',
    });
    const keysOf = async (group: UsageGroup) => (await summarize(account, group)).groups.map(({ key }) => key);
    expect(await keysOf('agent')).toEqual(['agent-1', null]);
    expect(await keysOf('api_key')).toEqual([ids.apiKeyId, null]);
    expect(await keysOf('flow')).toEqual([ids.flowId, null]);
    expect(await keysOf('session')).toEqual([ids.runtimeSessionId, null]);
    expect(await keysOf('day')).toEqual(['2026-11-20', '2026-11-21']);
  });

  it('considers only the requested period and filters', async () => {
    const account = newId();
    await models.book([1, 2, 3].map((hour) => buildUsage(account, { occurredAt: at(hour) })));
    expect((await summarize(account, 'day', { since: at(2), until: at(3) })).total.calls).toBe(1);
    expect(await summarize(account, 'day', { modelAlias: 'none' })).toMatchObject({
      groups: [],
      total: { calls: 0, costUsd: '0' },
    });
  });

  it('is cancelled if the database takes too long', async () => {
    const blocker = await models.admin.pool.connect();
    try {
      await blocker.query('begin; lock table models.usage in access exclusive mode');
      await expect(summarize(newId(), 'day', { timeoutMs: 20 })).rejects.toMatchObject({ code: '57014' });
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
  });

  it('omits the cheapest groups above its limit, and reports the omission', async () => {
    const account = newId();
    await models.book(
      ['a', 'b', 'c'].map((modelAlias, index) => buildUsage(account, { modelAlias, costUsd: `${index}` })),
    );
    const cut = await summarize(account, 'model', { limit: 2 });
    expect([cut.groups.map(({ key }) => key), cut.isCut, cut.total.calls]).toEqual([['c', 'b'], true, 3]);
    expect((await summarize(account, 'model', { limit: 3 })).isCut).toBe(false);
  });
});
