import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { readDatabaseTime } from '@steward/database';
import type { SpendRequest } from '../../index.ts';
import { buildRequest, buildSettlement, NOW, openBudgets, type OpenBudgets } from '../../testing/open-budgets.ts';

let budgets: OpenBudgets;
beforeAll(async () => {
  budgets = await openBudgets();
});
afterAll(() => budgets.close());

const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const read = async (accountId: string, at = NOW) =>
  (await budgets.list(accountId, at)).map(({ spent, reserved }) => [Number(spent), Number(reserved)]);
const crossings = async (accountId: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select kind || ' ' || threshold_percent as name from budgets.crossing where account_id = ${accountId} order by name
  `.execute(budgets.db);
  return rows.map(({ name }) => name);
};
const spend = async (accountId: string, cost: string, more: Partial<SpendRequest> = {}) => {
  const request = buildRequest(cost, more);
  const [outcome] = await budgets.reserve(accountId, [request]);
  if (outcome?.kind === 'reserved') await budgets.settle(accountId, [buildSettlement(request, cost)]);
  return outcome;
};

describe('a hard budget', () => {
  it('allows exactly as many of 1000 calls as its limit permits, in any number of processes (BUD-3, BUD-5)', async () => {
    const account = newId();
    await budgets.add(account, { limitAmount: '5', thresholdsPercent: [50, 80, 100] });
    const requests = Array.from({ length: 1000 }, () => buildRequest('0.1'));
    const batches = Array.from({ length: 100 }, (_, index) => requests.slice(index * 10, index * 10 + 10));
    const outcomes = (
      await Promise.all(batches.map((batch, index) => budgets.reserve(account, batch, NOW, index)))
    ).flat();
    const granted = requests.filter((_, index) => outcomes[index]?.kind === 'reserved');
    expect(granted).toHaveLength(50);
    expect(await read(account)).toEqual([[0, 5]]);
    await Promise.all(
      granted.map((request, index) => budgets.settle(account, [buildSettlement(request, '0.1')], NOW, index)),
    );
    expect(await read(account)).toEqual([[5, 0]]);
    expect(await crossings(account)).toEqual(['exceeded 100', 'threshold 100', 'threshold 50', 'threshold 80']);
  });

  it('is named in the refusal, and no other budget keeps a reservation for the call (BUD-3)', async () => {
    const account = newId();
    const key = newId();
    const small = await budgets.add(account, { scope: 'api_key', scopeId: key, limitAmount: '0.5' });
    await budgets.add(account, { limitAmount: '10' });
    expect(await spend(account, '0.6', { apiKeyId: key })).toMatchObject({
      kind: 'budget_exceeded',
      budgetId: small?.id,
      resetsAt: new Date('2026-11-21T00:00:00Z'),
    });
    expect(await spend(account, '0.6', { apiKeyId: newId() })).toMatchObject({ kind: 'reserved' });
    expect(await read(account)).toEqual([
      [0.6, 0],
      [0, 0],
    ]);
    expect(await crossings(account)).toEqual(['exceeded 100']);
  });

  it('refuses a call of unknown price, while a soft or disabled one allows it', async () => {
    const account = newId();
    const budget = await budgets.add(account);
    expect(await budgets.reserve(account, [buildRequest(null)])).toMatchObject([
      { kind: 'unpriced_model', budgetId: budget?.id },
    ]);
    await budgets.update(account, budget?.id ?? '', { isHard: false });
    expect(await budgets.reserve(account, [buildRequest(null)])).toMatchObject([{ kind: 'reserved' }]);
    await budgets.update(account, budget?.id ?? '', { isHard: true, isEnabled: false });
    expect(await budgets.reserve(account, [buildRequest(null)])).toMatchObject([{ kind: 'reserved' }]);
  });

  it('allows affordable calls even if the refusal of other calls cannot be published', async () => {
    const account = newId();
    await budgets.add(account, { limitAmount: '1' });
    const error = new Error('the database is away');
    const requests = [buildRequest('0.9'), buildRequest('0.2')];
    const outcomes = await budgets.reserve(account, requests, NOW, 0, () => Promise.reject(error));
    expect(outcomes).toMatchObject([{ kind: 'reserved' }, { kind: 'untold', error }]);
    expect(await read(account)).toEqual([[0, 0.9]]);
  });

  it('restarts with each period, in which no call of the previous period counts', async () => {
    const account = newId();
    await budgets.add(account);
    const late = buildRequest('1');
    await budgets.reserve(account, [late]);
    const tomorrow = later(86_400);
    const next = buildRequest('1');
    expect(await budgets.reserve(account, [next], tomorrow)).toMatchObject([{ kind: 'reserved' }]);
    await budgets.settle(account, [buildSettlement(late, '0.9')], tomorrow);
    expect([await read(account), await read(account, tomorrow)]).toEqual([[[0.9, 0]], [[0, 1]]]);
  });
});

describe('a call that takes over the reservation of another', () => {
  it('has that reservation, and the other call no longer has it', async () => {
    const account = newId();
    await budgets.add(account, { limitAmount: '1' });
    await budgets.add(account, { limitAmount: '1', modelAlias: 'large' });
    const former = buildRequest('0.9');
    await budgets.reserve(account, [former]);
    const next = buildRequest('0.8', { modelAlias: 'large', replaces: former.id });
    expect(await budgets.reserve(account, [next])).toMatchObject([{ kind: 'reserved' }]);
    expect(await read(account)).toEqual([
      [0, 0.8],
      [0, 0.8],
    ]);
    await budgets.settle(account, [buildSettlement(former, null), buildSettlement(next, '0.7')]);
    expect(await read(account)).toEqual([
      [0.7, 0],
      [0.7, 0],
    ]);
  });

  it('has it even if the other call sends a heartbeat at the same moment', async () => {
    const account = newId();
    await budgets.add(account, { limitAmount: '1' });
    const former = buildRequest('0.9');
    await budgets.reserve(account, [former]);
    const next = buildRequest('0.8', { replaces: former.id });
    const outcomes = await budgets.whileKeepingAlive(account, [former.id], later(200), () =>
      budgets.reserve(account, [next]),
    );
    expect(outcomes).toMatchObject([{ kind: 'reserved' }]);
    expect(await read(account)).toEqual([[0, 0.8]]);
  });

  it('reserves nothing if it is refused: the other call keeps its reservation', async () => {
    const account = newId();
    await budgets.add(account, { limitAmount: '1' });
    const former = buildRequest('0.9');
    await budgets.reserve(account, [former]);
    const [refused, other] = [buildRequest('1.1', { replaces: former.id }), buildRequest('0.2')];
    expect(await budgets.reserve(account, [refused, other])).toMatchObject([
      { kind: 'budget_exceeded' },
      { kind: 'budget_exceeded' },
    ]);
    expect(await read(account)).toEqual([[0, 0.9]]);
  });
});

describe('a limit that is raised', () => {
  it('allows alerts above the current spending to be repeated, but none below it (BUD-5, EVT-22)', async () => {
    const account = newId();
    const budget = await budgets.add(account, { limitAmount: '1', thresholdsPercent: [40, 80] });
    await spend(account, '0.9');
    expect(await crossings(account)).toEqual(['threshold 40', 'threshold 80']);
    expect(await budgets.update(account, budget?.id ?? '', { limitAmount: '2' })).toMatchObject({ armGeneration: 2 });
    expect(await crossings(account)).toEqual(['threshold 40']);
    await spend(account, '0.7');
    expect(await crossings(account)).toEqual(['threshold 40', 'threshold 80']);
  });
});

describe('a call whose process ended unexpectedly', () => {
  it('is charged with its reservation until it reports its cost, but never twice (BUD-4)', async () => {
    const account = newId();
    await budgets.add(account);
    const request = buildRequest('0.6');
    await budgets.reserve(account, [request]);
    expect(await budgets.endDead(account, later(80))).toEqual([]);
    expect(await budgets.endDead(account, later(100))).toMatchObject([
      { id: request.id, amountUsd: '0.6', call: request.call },
    ]);
    expect(await budgets.endDead(account, later(100))).toEqual([]);
    expect(await read(account)).toEqual([[0.6, 0]]);
    await budgets.settle(account, [buildSettlement(request, '0.2')]);
    expect(await read(account)).toEqual([[0.2, 0]]);
    await budgets.settle(account, [{ ...buildSettlement(request, '0.2'), isBooked: true }]);
    expect(await read(account)).toEqual([[0.2, 0]]);
  });

  it('is not a call that still sends heartbeats', async () => {
    const account = newId();
    await budgets.add(account);
    const request = buildRequest('0.6');
    await budgets.reserve(account, [request]);
    await budgets.keepAlive(account, [request.id], later(200));
    expect(await budgets.endDead(account, later(100))).toEqual([]);
    expect(await read(account)).toEqual([[0, 0.6]]);
    await budgets.settle(account, [buildSettlement(request, '0.6')]);
  });

  it('is not a call that is ending at this moment, and does not delay such a call', async () => {
    const account = newId();
    await budgets.add(account);
    const [ending, dead] = [buildRequest('0.3'), buildRequest('0.2')];
    await budgets.reserve(account, [ending, dead]);
    await budgets.whileEnding(account, [ending.id], async () => {
      await budgets.keepAlive(account, [ending.id], later(200));
      expect(await budgets.endDead(account, later(100))).toMatchObject([{ id: dead.id }]);
    });
    await budgets.settle(account, [buildSettlement(ending, '0.1')]);
    expect(await read(account)).toEqual([[0.3, 0]]);
  });

  it('is eventually deleted', async () => {
    const account = newId();
    await budgets.reserve(account, [buildRequest('0.6')]);
    await budgets.endDead(account, later(100));
    await budgets.forget(later(100_000));
    const { rows } = await sql`select from budgets.reservation where account_id = ${account}`.execute(budgets.db);
    expect(rows).toEqual([]);
  });
});

describe('budgets that change while calls are running', () => {
  it('begin with the amount already spent, and include calls that end afterwards', async () => {
    const account = newId();
    const request = buildRequest('0.5');
    await budgets.reserve(account, [request]);
    await budgets.add(account, {}, () => Promise.resolve('0.25'));
    await budgets.settle(account, [buildSettlement(request, '0.5')]);
    expect(await read(account)).toEqual([[0.75, 0]]);
    expect(await budgets.add(account)).toBeUndefined();
  });

  it('are created while calls continue: these are counted from then on, and are not blocked before the sum is calculated', async () => {
    const account = newId();
    const [before, beside, late] = [buildRequest('0.5'), buildRequest('0.7'), buildRequest('0.1')];
    await budgets.reserve(account, [before]);
    const made = await budgets.add(account, { thresholdsPercent: [10] }, async () => {
      expect(await budgets.reserve(account, [beside, late])).toMatchObject([
        { kind: 'reserved' },
        { kind: 'reserved' },
      ]);
      await budgets.settle(account, [buildSettlement(before, '0.5'), buildSettlement(beside, '0.6')]);
      expect([await budgets.list(account), await crossings(account)]).toEqual([[], []]);
      expect(await budgets.add(account)).toBeUndefined();
      return '0.2';
    });
    expect(made).toMatchObject({ isEnabled: true, spent: '1.300000000000', reserved: '0.100000000000' });
    expect(await budgets.reserve(account, [buildRequest('0.1')])).toMatchObject([{ kind: 'budget_exceeded' }]);
    await budgets.settle(account, [buildSettlement(late, '0.1')]);
    expect(await read(account)).toEqual([[1.4, 0]]);
  });

  it('begin in the period given by the database’s clock, whatever the clock of their process', async () => {
    const before = await readDatabaseTime(budgets.db);
    const made = await budgets.add(newId(), { at: undefined });
    const after = await readDatabaseTime(budgets.db);
    expect(made?.createdAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(made?.createdAt.getTime()).toBeLessThanOrEqual(after.getTime());
  });

  it('are not created if the sum cannot be calculated; an interrupted creation leaves nothing visible', async () => {
    const account = newId();
    await expect(budgets.add(account, {}, () => Promise.reject(new Error('too many rows')))).rejects.toThrow(
      'too many',
    );
    expect(await budgets.list(account)).toEqual([]);
    const dead = budgets.add(account, {}, async () => {
      await sql`update budgets.budget set opening_until = now() where account_id = ${account}`.execute(budgets.db);
      // Another budget is created in the meantime.
      await budgets.add(account, { limitAmount: '7' });
      return '0.2';
    });
    await expect(dead).rejects.toMatchObject({ code: 'unavailable' });
    expect(await budgets.list(account)).toMatchObject([{ limitAmount: '7' }]);
  });

  it('wait briefly for a locked ledger, without delaying budgets of other accounts', async () => {
    const [held, other] = [newId(), newId()];
    await budgets.whileLedgerIsLocked(held, async () => {
      const [mine, theirs] = await Promise.allSettled([budgets.add(held), budgets.add(other)]);
      expect([mine, theirs.status]).toMatchObject([{ reason: { code: '55P03' } }, 'fulfilled']);
    });
    expect(await budgets.add(held)).toBeDefined();
    expect(await read(held)).toEqual([[0, 0]]);
  });

  it('can be deleted and changed while calls end', async () => {
    const account = newId();
    const [one, other] = [await budgets.add(account), await budgets.add(account, { period: 'weekly' })];
    const requests = Array.from({ length: 10 }, () => buildRequest('0.05'));
    await budgets.reserve(account, requests);
    await Promise.all([
      ...requests.map((request, index) => budgets.settle(account, [buildSettlement(request, '0.04')], NOW, index)),
      budgets.remove(account, one?.id ?? ''),
      budgets.update(account, other?.id ?? '', { limitAmount: '3' }),
    ]);
    expect(await read(account)).toEqual([[0.4, 0]]);
  });
});
