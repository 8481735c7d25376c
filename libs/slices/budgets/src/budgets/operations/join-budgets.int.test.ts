import { newId } from '@steward/crypto';
import { buildRequest, buildSettlement, NOW, openBudgets, type OpenBudgets } from '../../testing/open-budgets.ts';

let budgets: OpenBudgets;
beforeAll(async () => {
  budgets = await openBudgets();
});
afterAll(() => budgets.close());

const setUp = () => {
  const [account, duplicate, agent] = [newId(), newId(), newId()];
  const limit = (scopeId: string, limitAmount = '1') =>
    budgets.add(account, { scope: 'managed_agent', scopeId, period: 'all_time', limitAmount });
  const read = async () =>
    (await budgets.list(account)).map(({ scopeId, spent, reserved }) => [scopeId, Number(spent), Number(reserved)]);
  return { account, duplicate, agent, limit, read };
};

describe('calls of an agent that is merged into another while they are under way (AGT-7, BUD-4)', () => {
  it('are spent by the other, whose budget was the merged one’s', async () => {
    const { account, duplicate, agent, limit, read } = setUp();
    await limit(duplicate);
    const call = buildRequest('0.6', { managedAgentId: duplicate });
    await budgets.reserve(account, [call]);
    await budgets.join(account, duplicate, agent, '0.1');
    expect(await read()).toEqual([[agent, 0.1, 0.6]]);
    await budgets.settle(account, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual([[agent, 0.6, 0]]);
  });

  it('are spent by the other where its own budget stays', async () => {
    const { account, duplicate, agent, limit, read } = setUp();
    await limit(duplicate);
    await limit(agent);
    const call = buildRequest('0.6', { managedAgentId: duplicate });
    await budgets.reserve(account, [call]);
    await budgets.join(account, duplicate, agent);
    await budgets.settle(account, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual([[agent, 0.5, 0]]);
  });

  it('are limited by what the other is limited by: one that begins late, also as the fallback of another', async () => {
    const { account, duplicate, agent, limit, read } = setUp();
    await limit(agent);
    const former = buildRequest('0.9', { managedAgentId: duplicate });
    await budgets.reserve(account, [former]);
    await budgets.join(account, duplicate, agent);
    const [huge, next] = ['1.1', '0.8'].map((cost) =>
      buildRequest(cost, { managedAgentId: duplicate, replaces: former.id }),
    ) as [ReturnType<typeof buildRequest>, ReturnType<typeof buildRequest>];
    expect(await budgets.reserve(account, [huge, next])).toMatchObject([
      { kind: 'budget_exceeded' },
      { kind: 'reserved' },
    ]);
    expect(await read()).toEqual([[agent, 0, 0.8]]);
    await budgets.settle(account, [buildSettlement(former, null), buildSettlement(next, '0.7')]);
    expect(await read()).toEqual([[agent, 0.7, 0]]);
  });

  it('are spent by the end of a chain of merges', async () => {
    const { account, duplicate, agent, limit, read } = setUp();
    const last = newId();
    await limit(last);
    const call = buildRequest('0.6', { managedAgentId: duplicate });
    await budgets.reserve(account, [call]);
    await budgets.join(account, duplicate, agent);
    await budgets.join(account, agent, last);
    await budgets.settle(account, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual([[last, 0.5, 0]]);
  });

  it('are spent once where they were taken for dead before', async () => {
    const { account, duplicate, agent, limit, read } = setUp();
    await limit(duplicate);
    const call = buildRequest('0.6', { managedAgentId: duplicate });
    await budgets.reserve(account, [call]);
    const late = new Date(NOW.getTime() + 100_000);
    expect(await budgets.endDead(account, late)).toHaveLength(1);
    await budgets.join(account, duplicate, agent, '0.6');
    expect(await read()).toEqual([[agent, 0.6, 0]]);
    await budgets.settle(account, [buildSettlement(call, '0.2')]);
    expect(await read()).toEqual([[agent, 0.2, 0]]);
  });

  it('of another account are its own', async () => {
    const { account, duplicate, agent, limit, read } = setUp();
    await limit(duplicate);
    await budgets.join(newId(), duplicate, agent);
    const call = buildRequest('0.6', { managedAgentId: duplicate });
    await budgets.reserve(account, [call]);
    await budgets.settle(account, [buildSettlement(call, '0.5')]);
    expect(await read()).toEqual([[duplicate, 0.5, 0]]);
  });
});
