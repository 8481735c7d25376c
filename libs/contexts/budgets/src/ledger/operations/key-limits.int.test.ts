import { sql } from 'kysely';
import type { KeyLimits } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { SpendRequest } from '../../index.ts';
import { buildRequest, buildSettlement, NOW, openBudgets, type OpenBudgets } from '../../testing/open-budgets.ts';
import { forgetKeyWindows, readKeyUse } from '../store/key-window.store.ts';

let budgets: OpenBudgets;
beforeAll(async () => {
  budgets = await openBudgets();
});
afterAll(() => budgets.close());

const NONE = {
  models: null,
  calls_per_minute: null,
  calls_per_day: null,
  tokens_per_minute: null,
  tokens_per_day: null,
};
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

function open(limits: Partial<KeyLimits>) {
  const [account, key] = [newId(), newId()];
  const keyLimits = [{ ...NONE, ...limits, api_key_id: key }];
  return {
    account,
    build: (tokens: number, more: Partial<SpendRequest> = {}) =>
      buildRequest('0.1', { apiKeyId: key, keyLimits, tokens, ...more }),
    reserve: async (requests: readonly SpendRequest[], at = NOW, index = 0) =>
      (await budgets.reserve(account, requests, at, index)).map((one) =>
        one.kind === 'key_limit_reached' ? one.limit : one.kind,
      ),
    end: (request: SpendRequest, tokens: number, at = NOW, index = 1) =>
      budgets.settle(
        account,
        [{ ...buildSettlement(request, '0.1'), occurredAt: at, inputTokens: tokens - 1, outputTokens: 1 }],
        at,
        index,
      ),
    use: async (at = NOW) => (await readKeyUse(budgets.db, { accountId: account, ids: [key], at })).get(key)!,
  };
}

describe('the limits of a key (GW-19)', () => {
  it('allow exactly as many of 1000 calls as they permit, in any number of processes', async () => {
    const { build, reserve, use, end } = open({ calls_per_day: 50 });
    const requests = Array.from({ length: 1000 }, () => build(7));
    const batches = Array.from({ length: 100 }, (_, index) => requests.slice(index * 10, index * 10 + 10));
    const outcomes = (await Promise.all(batches.map((batch, index) => reserve(batch, NOW, index)))).flat();
    const granted = requests.filter((_, index) => outcomes[index] === 'reserved');
    expect([granted.length, new Set(outcomes)]).toEqual([50, new Set(['reserved', 'calls_per_day'])]);
    expect(await use()).toEqual({
      calls_per_minute: 50,
      calls_per_day: 50,
      tokens_per_minute: 350,
      tokens_per_day: 350,
    });
    await Promise.all(granted.map((request, index) => end(request, 3, NOW, index)));
    expect(await use()).toMatchObject({ tokens_per_minute: 150, tokens_per_day: 150, calls_per_day: 50 });
  });

  it('reset at each minute and each day in UTC, and report the time of the reset', async () => {
    const { account, build, reserve } = open({ calls_per_minute: 1, calls_per_day: 2 });
    expect(await reserve([build(1), build(1)])).toEqual(['reserved', 'calls_per_minute']);
    const [refused] = await budgets.reserve(account, [build(1)], later(59));
    expect(refused).toMatchObject({ kind: 'key_limit_reached', resetsAt: later(60) });
    expect(await reserve([build(1), build(1)], later(60))).toEqual(['reserved', 'calls_per_day']);
    const [ofDay] = await budgets.reserve(account, [build(1)], later(120));
    expect(ofDay).toMatchObject({ limit: 'calls_per_day', resetsAt: new Date('2026-11-21T00:00:00Z') });
    expect(await reserve([build(1)], new Date('2026-11-21T00:00:00Z'))).toEqual(['reserved']);
  });

  it('on tokens count the reservations of running calls, and then their usage', async () => {
    const { build, reserve, end, use } = open({ tokens_per_minute: 100 });
    const [first, second] = [build(60), build(60)];
    expect(await reserve([first, second, build(1)])).toEqual(['reserved', 'reserved', 'tokens_per_minute']);
    await end(first, 10);
    await end(first, 10);
    expect((await use()).tokens_per_minute).toBe(70);
    expect(await reserve([build(500), build(1)])).toEqual(['reserved', 'tokens_per_minute']);
  });

  it('count a call that a fallback serves once, and release the unused tokens', async () => {
    const { build, reserve, use } = open({ calls_per_day: 1 });
    const first = build(60);
    expect(await reserve([first])).toEqual(['reserved']);
    expect(await reserve([build(20, { replaces: first.id })])).toEqual(['reserved']);
    expect(await use()).toMatchObject({ calls_per_day: 1, tokens_per_day: 20 });
  });

  it('count a call whose process ended by its reservation, once, in its own minute', async () => {
    const { account, build, reserve, end, use } = open({ tokens_per_day: 1000 });
    const lost = build(60);
    await reserve([lost]);
    await budgets.endDead(account, later(120));
    expect(await use()).toMatchObject({ tokens_per_day: 60, tokens_per_minute: 60 });
    await end(lost, 10);
    expect(await use()).toMatchObject({ tokens_per_day: 60 });
    expect(await use(later(120))).toMatchObject({ tokens_per_minute: 0 });
  });

  it('apply together with those of the parent keys; calls refused by a budget are not counted by any of them', async () => {
    const { account, build, reserve, use } = open({ calls_per_day: 9 });
    const above = { ...NONE, calls_per_day: 1, api_key_id: newId() };
    const of = () => build(1, { keyLimits: [...(build(1).keyLimits ?? []), above] });
    expect(await reserve([of(), of()])).toEqual(['reserved', 'calls_per_day']);
    await budgets.add(account, { limitAmount: '0.05' });
    expect(await reserve([build(1)])).toEqual(['budget_exceeded']);
    expect(await use()).toMatchObject({ calls_per_day: 1 });
  });

  it('are deleted once no more calls can be counted in their period', async () => {
    const { account, build, reserve } = open({ calls_per_day: 9 });
    await reserve([build(1)]);
    const count = async () =>
      (await sql`select from budgets.key_window where account_id = ${account}`.execute(budgets.db)).rows.length;
    await forgetKeyWindows(budgets.db, later(3600));
    expect(await count()).toBe(1);
    await forgetKeyWindows(budgets.db, later(2 * 86_400));
    expect(await count()).toBe(0);
  });
});
