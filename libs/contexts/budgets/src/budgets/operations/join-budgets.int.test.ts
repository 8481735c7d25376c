import { newId } from '@steward/crypto';
import { buildRequest, buildSettlement, NOW, openBudgets, type OpenBudgets } from '../../testing/open-budgets.ts';

let budgets: OpenBudgets;
beforeAll(async () => {
  budgets = await openBudgets();
});
afterAll(() => budgets.close());

const setUp = () => {
  const [accountId, agentId, to] = [newId(), newId(), newId()];
  return {
    agents: { accountId, agentId, to },
    limit: (scopeId: string, spent?: () => Promise<string>) =>
      budgets.add(accountId, { scope: 'managed_agent', scopeId, period: 'all_time' }, spent),
    build: (cost: string, managedAgentId = agentId) => buildRequest(cost, { managedAgentId }),
    read: async () =>
      (await budgets.list(accountId)).map(({ scopeId, spent, reserved }) => [scopeId, Number(spent), Number(reserved)]),
  };
};

describe('running calls of an agent that is merged into another (AGT-7, BUD-4)', () => {
  it('are charged to the other agent, in the budget that moves to it', async () => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.agentId);
    const call = build('0.6');
    await budgets.reserve(agents.accountId, [call]);
    await budgets.join(agents, '0.1');
    expect(await read()).toEqual([[agents.to, 0.1, 0.6]]);
    await budgets.settle(agents.accountId, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual([[agents.to, 0.6, 0]]);
  });

  it('are reserved and charged in the other agent’s budget if it has one: no limit is exceeded (BUD-3)', async () => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.agentId);
    await limit(agents.to);
    const [call, own] = [build('0.6'), build('0.1', agents.to)];
    await budgets.reserve(agents.accountId, [call, own]);
    await budgets.join(agents);
    expect(await read()).toEqual([[agents.to, 0, 0.7]]);
    expect(await budgets.reserve(agents.accountId, [build('0.4', agents.to)])).toMatchObject([
      { kind: 'budget_exceeded' },
    ]);
    const settlements = [buildSettlement(call, '0.5'), buildSettlement(own, '0.1')];
    await budgets.settle(agents.accountId, settlements);
    expect(await read()).toEqual([[agents.to, 0.6, 0]]);
  });

  it.each<[whose: string, former: string | undefined, other: string | undefined, sums: string[], spent: number]>([
    ['the other agent', undefined, '5', ['1', '0.5'], 6],
    ['the merged agent', '5', undefined, ['0.5', '1'], 6],
    ['both agents', '4', '5', ['0.5', '0.5'], 9],
    ['no agent', '4', '5', ['4', '5'], 9],
  ])(
    'add to what was counted, although retention removed older usage rows of %s',
    async (_, former, other, sums, spent) => {
      const { agents, limit, read } = setUp();
      for (const [id, counted] of [
        [agents.agentId, former],
        [agents.to, other],
      ] as const)
        if (counted !== undefined) await limit(id, () => Promise.resolve(counted));
      await budgets.join(agents, ...sums);
      expect(await read()).toEqual([[agents.to, spent, 0]]);
    },
  );

  it.each(['merged agent', 'other agent'])('remain reserved in the moved budget: calls of the %s', async (whose) => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.agentId);
    const call = build('0.9', whose === 'other agent' ? agents.to : agents.agentId);
    await budgets.reserve(agents.accountId, [call]);
    await budgets.join(agents);
    expect(await read()).toEqual([[agents.to, 0, 0.9]]);
    expect(await budgets.reserve(agents.accountId, [build('0.2', agents.to)])).toMatchObject([
      { kind: 'budget_exceeded' },
    ]);
    await budgets.settle(agents.accountId, [buildSettlement(call, '0.8')]);
    expect(await read()).toEqual([[agents.to, 0.8, 0]]);
  });

  it('are reserved in the other agent’s budgets that apply to them, each in its period', async () => {
    const { agents, build } = setUp();
    const { accountId, to } = agents;
    const about = { scope: 'managed_agent', scopeId: to } as const;
    for (const more of [
      { period: 'hourly' },
      { period: 'all_time' },
      { modelAlias: 'other' },
      { modelAlias: 'fast' },
    ] as const)
      await budgets.add(accountId, { ...about, ...more });
    const read = async () =>
      Object.fromEntries(
        (await budgets.list(accountId)).map(({ period, modelAlias, reserved }) => [
          `${period} ${modelAlias ?? 'any'}`,
          Number(reserved),
        ]),
      );
    const call = build('0.6');
    await budgets.reserve(accountId, [call]);
    await budgets.join(agents);
    const held = { 'hourly any': 0.6, 'all_time any': 0.6, 'daily other': 0, 'daily fast': 0.6 };
    expect(await read()).toEqual(held);
    await budgets.settle(accountId, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual({ 'hourly any': 0, 'all_time any': 0, 'daily other': 0, 'daily fast': 0 });
  });

  it('are reserved once, even if the merge coincides with their heartbeat', async () => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.to);
    const call = build('0.6');
    await budgets.reserve(agents.accountId, [call]);
    const aliveUntil = new Date(NOW.getTime() + 200_000);
    await budgets.whileKeepingAlive(agents.accountId, [call.id], aliveUntil, () => budgets.join(agents));
    expect(await read()).toEqual([[agents.to, 0, 0.6]]);
    const late = new Date(NOW.getTime() + 300_000);
    expect(await budgets.endDead(agents.accountId, late)).toMatchObject([{ id: call.id, amountUsd: '0.6' }]);
    expect(await read()).toEqual([[agents.to, 0.6, 0]]);
  });

  it('are charged to the other agent if they end at that moment, and no reservation remains', async () => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.agentId);
    await limit(agents.to);
    const call = build('0.6');
    await budgets.reserve(agents.accountId, [call]);
    await budgets.whileEnding(agents.accountId, [call.id], () => budgets.join(agents));
    expect(await read()).toEqual([[agents.to, 0, 0]]);
    await budgets.settle(agents.accountId, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual([[agents.to, 0.5, 0]]);
  });

  it.each(['reserve', 'settle'] as const)('belong to the other agent while the merge is pending: %s', async (what) => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.to);
    const [call, late] = [build('0.6'), build('0.6')];
    await budgets.reserve(agents.accountId, [call]);
    await budgets.whileJoining(agents, async () => {
      if (what === 'settle') await budgets.settle(agents.accountId, [buildSettlement(call, '0.5')]);
      else expect(await budgets.reserve(agents.accountId, [late])).toMatchObject([{ kind: 'budget_exceeded' }]);
    });
    expect(await read()).toEqual([what === 'settle' ? [agents.to, 0.5, 0] : [agents.to, 0, 0.6]]);
  });

  it('are limited by the other agent’s budgets, including late calls and fallbacks', async () => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.to);
    const former = build('0.9');
    await budgets.reserve(agents.accountId, [former]);
    await budgets.join(agents);
    const next = { ...build('0.8'), replaces: former.id };
    expect(await budgets.reserve(agents.accountId, [{ ...build('1.1'), replaces: former.id }, next])).toMatchObject([
      { kind: 'budget_exceeded' },
      { kind: 'reserved' },
    ]);
    expect(await read()).toEqual([[agents.to, 0, 0.8]]);
    await budgets.settle(agents.accountId, [buildSettlement(former, null), buildSettlement(next, '0.7')]);
    expect(await read()).toEqual([[agents.to, 0.7, 0]]);
  });

  it('are reserved and charged for the last agent of a chain of merges', async () => {
    const { agents, limit, build, read } = setUp();
    const { accountId, agentId, to } = agents;
    const last = newId();
    for (const each of [agentId, to, last]) await limit(each);
    const call = build('0.6');
    await budgets.reserve(accountId, [call]);
    await budgets.join(agents);
    await budgets.join({ accountId, agentId: to, to: last });
    expect(await read()).toEqual([[last, 0, 0.6]]);
    await budgets.settle(accountId, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual([[last, 0.5, 0]]);
  });

  it('are charged only once if they were previously considered lost', async () => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.agentId);
    const call = build('0.6');
    await budgets.reserve(agents.accountId, [call]);
    const late = new Date(NOW.getTime() + 100_000);
    expect(await budgets.endDead(agents.accountId, late)).toHaveLength(1);
    await budgets.join(agents, '0.6');
    expect(await read()).toEqual([[agents.to, 0.6, 0]]);
    await budgets.settle(agents.accountId, [buildSettlement(call, '0.2')]);
    expect(await read()).toEqual([[agents.to, 0.2, 0]]);
  });

  it('in another account are not affected', async () => {
    const { agents, limit, build, read } = setUp();
    await limit(agents.agentId);
    await budgets.join({ ...agents, accountId: newId() });
    const call = build('0.6');
    await budgets.reserve(agents.accountId, [call]);
    await budgets.settle(agents.accountId, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual([[agents.agentId, 0.5, 0]]);
  });
});

describe('a budget that is created while its agent is merged (AGT-7, AGT-8)', () => {
  it.each(['agentId', 'to'] as const)('is not created with an incomplete sum: for %s', async (which) => {
    const { agents, limit } = setUp();
    const making = limit(agents[which], async () => {
      await budgets.join(agents);
      return '0.1';
    });
    await expect(making).rejects.toMatchObject({ code: 'unavailable' });
    expect(await budgets.list(agents.accountId)).toEqual([]);
  });

  it('applies to the agent into which its agent was merged', async () => {
    const { agents, limit } = setUp();
    await budgets.join(agents);
    expect(await limit(agents.agentId)).toMatchObject({ scopeId: agents.to });
    expect(await limit(agents.to)).toBeUndefined();
  });
});
