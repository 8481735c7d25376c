import { newId } from '@steward/crypto';
import { countStatements } from '@steward/database/testing';
import { eventually } from '@steward/testing';
import { withLedgerLocked } from '../testing/lock-ledger.ts';
import { buildCall, buildRow, START } from '../testing/build-call.ts';
import { openModelCalls, type OpenModelCalls } from '../testing/open-model-calls.ts';

let opened: OpenModelCalls;
beforeAll(async () => {
  opened = await openModelCalls();
});
beforeEach(() => opened.setClock(START));
afterAll(() => opened.close());

const CENT = 10n ** 10n;
const later = (ms: number): void => opened.setClock(new Date(START.getTime() + ms));

/** Opens an account whose process leases a part of its budget in advance of calls. */
async function openLeased(limitAmount = '10') {
  const accountId = newId();
  const [calls] = opened.processes;
  const budget = await opened.addBudget(accountId, { limitAmount, period: 'all_time' });
  const build = async () => buildCall(accountId, { budgetsRevision: await opened.readRevision(accountId) });
  const begin = async () => {
    const call = await build();
    return { call, outcome: await calls.begin(call) };
  };
  const first = [await begin(), await begin()];
  await calls.tendLeases();
  return { accountId, calls, build, begin, first, budgetId: budget?.id ?? '' };
}

const readBudget = async (accountId: string) => (await opened.readLedger(accountId))[0];

describe('repeated calls of the same kind', () => {
  it('are granted without a database round trip, up to the leased amount', async () => {
    const { accountId, calls, build } = await openLeased();
    expect(await opened.readLeased(accountId)).toBe(4n * CENT);
    const ahead = await Promise.all([build(), build(), build(), build()]);
    await withLedgerLocked(opened.ownerUrl, accountId, async () => {
      const outcomes = await Promise.all(ahead.map((call) => calls.begin(call)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill('reserved'));
    });
  });

  it('count as reserved in their budget after a short delay; the unused part of the lease does not', async () => {
    const { accountId, calls, begin } = await openLeased();
    await begin();
    expect((await readBudget(accountId))?.said.reserved).toBe(2n * CENT);
    later(250);
    await calls.tendLeases();
    const ledger = await readBudget(accountId);
    expect(ledger?.said.reserved).toBe(3n * CENT);
    expect(ledger?.counted.reserved).toBe(3n * CENT);
  });

  it.each([100, 250])('are recorded with their actual cost, even if they end after %i ms', async (ms) => {
    const { accountId, calls, begin, first } = await openLeased();
    const { call } = await begin();
    later(ms);
    await calls.tendLeases();
    await Promise.all([...first, { call }].map((one) => calls.end(buildRow(one.call, '0.004'))));
    later(5000);
    await calls.tendLeases();
    await calls.tendLeases();
    expect(await readBudget(accountId)).toMatchObject({ said: { spent: (12n * CENT) / 10n, reserved: 0n } });
    expect(await opened.readLeased(accountId)).toBe(0n);
  });

  it('lease for several accounts with one statement, and a locked ledger does not delay other accounts', async () => {
    const sent = countStatements();
    const { calls, database } = opened.connect([sent.plugin]);
    const [locked, ...others] = [newId(), newId(), newId()] as const;
    for (const accountId of [locked, ...others]) await opened.addBudget(accountId, { limitAmount: '10' });
    const beginTwice = async (accountId: string) => {
      const budgetsRevision = await opened.readRevision(accountId);
      for (const id of [newId(), newId()]) await calls.begin(buildCall(accountId, { id, budgetsRevision }));
    };
    for (const accountId of others) await beginTwice(accountId);
    const before = sent.count();
    await calls.tendLeases();
    expect(sent.count() - before).toBe(1);
    for (const accountId of others) expect(await opened.readLeased(accountId)).toBe(4n * CENT);
    await beginTwice(locked);
    later(5000);
    let tending: Promise<void> | undefined;
    await withLedgerLocked(opened.ownerUrl, locked, async () => {
      tending = calls.tendLeases();
      for (const accountId of others)
        expect(await eventually(async () => (await opened.readLeased(accountId)) === 0n)).toBe(true);
    });
    await tending;
    await database.close();
  });

  it('lease at most a twentieth of the remaining budget in advance, and are reserved individually near the limit', async () => {
    const { accountId } = await openLeased('0.5');
    expect(await opened.readLeased(accountId)).toBe((48n * CENT) / 20n);
    const { accountId: near } = await openLeased('0.1');
    expect(await opened.readLeased(near)).toBe(0n);
  });
});

describe('a leased share of a budget (BUD-8)', () => {
  it.each<readonly [string, (leased: Awaited<ReturnType<typeof openLeased>>) => Promise<unknown>]>([
    [
      'the limit was lowered',
      ({ accountId, budgetId }) => opened.updateBudget(accountId, budgetId, { limitAmount: '0.02' }),
    ],
    [
      'there is a further budget',
      ({ accountId }) => opened.addBudget(accountId, { limitAmount: '0.005', period: 'daily' }),
    ],
  ])('grants no call once %s', async (_change, change) => {
    const leased = await openLeased();
    await change(leased);
    expect((await leased.begin()).outcome.kind).toBe('budget_exceeded');
  });

  it('is returned if a call of another process would otherwise exceed the budget', async () => {
    const { accountId, calls } = await openLeased('0.5');
    const [, other] = opened.processes;
    const large = buildCall(accountId, {
      expected: { inputBytes: 350, maxOutputTokens: 46_900, defaultOutputTokens: 4096 },
    });
    const asking = other.begin(large);
    later(2000);
    await calls.tendLeases();
    expect((await asking).kind).toBe('reserved');
  });

  it('counts as spent if its process dies, and is replaced by the actual cost once that is recorded', async () => {
    const { accountId, calls, begin, first } = await openLeased();
    const { call } = await begin();
    later(120_000);
    await opened.processes[1].reap();
    expect((await readBudget(accountId))?.said).toMatchObject({ spent: 6n * CENT, reserved: 0n });
    await calls.end(buildRow(call, '0.004'));
    await Promise.all(first.map((one) => calls.end(buildRow(one.call, '0.004'))));
    const ledger = await readBudget(accountId);
    expect(ledger?.said).toMatchObject({ spent: (12n * CENT) / 10n, reserved: 0n });
    expect(ledger?.counted).toEqual(ledger?.said);
  });

  it('belongs to the period in which it was leased', async () => {
    const accountId = newId();
    await opened.addBudget(accountId, { limitAmount: '10', period: 'hourly' });
    const [calls] = opened.processes;
    const begin = async () =>
      calls.begin(buildCall(accountId, { budgetsRevision: await opened.readRevision(accountId) }));
    opened.setClock(new Date('2026-11-20T10:59:59.500Z'));
    await begin();
    await begin();
    await calls.tendLeases();
    opened.setClock(new Date('2026-11-20T11:00:00.000Z'));
    expect(await begin()).toEqual({ kind: 'reserved', occurredAt: new Date('2026-11-20T11:00:00.000Z') });
    expect((await readBudget(accountId))?.said.reserved).toBe(CENT);
  });
});
