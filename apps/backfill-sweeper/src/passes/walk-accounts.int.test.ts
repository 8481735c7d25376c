import type { WalkBudget } from '@steward/backfill';
import { INDEXED, useSweeper } from '../testing/use-sweeper.ts';
import { rotate } from './rotate.ts';
import { walkAccounts, type Pass } from './walk-accounts.ts';

describe('a pass over accounts', () => {
  const tests = useSweeper();
  const ids: string[] = [];
  const lines: { readonly event: string; readonly fields: Record<string, unknown> }[] = [];
  beforeAll(async () => {
    for (let index = 0; index < 4; index += 1)
      ids.push(await tests.storeSessions(0, INDEXED, () => ({ toolCall: { arguments: {} } })));
    ids.sort();
  });
  beforeEach(() => void (lines.length = 0));

  const note = (event: string, fields: Record<string, unknown>): void => void lines.push({ event, fields });
  const LIMITS = { maxRowsPerPass: 100, maxRowsPerAccount: 50, maxSeconds: 60 };
  function pass(work: Pass['work'], more: Partial<Pass> = {}) {
    const logger = { ...tests.deps.logger, info: note, warn: note } as typeof tests.deps.logger;
    const whole: Pass = {
      name: 'sweep',
      limits: LIMITS,
      accountIds: ids,
      signal: new AbortController().signal,
      work,
      ...more,
    };
    return walkAccounts(logger, whole);
  }
  /** Spends rows of the budget on each account, and records the account. */
  const spend = (rows: number, seen: string[]) => (accountId: string, budget: WalkBudget) => {
    seen.push(accountId);
    if (budget.exhausted() === undefined) budget.spend(Math.min(rows, budget.left()));
    return Promise.resolve(true);
  };

  it('serves each account once, in order (CORP-14)', async () => {
    const seen: string[] = [];
    await pass(spend(0, seen), { accountIds: [...ids].reverse() });
    expect(seen).toEqual([...ids].reverse());
  });

  it('continues after an account that fails, and logs the failure (CORP-18)', async () => {
    const seen: string[] = [];
    const summary = await pass((accountId, budget) => {
      if (accountId === ids[1]) return Promise.reject(new Error('locked out'));
      return spend(1, seen)(accountId, budget);
    });
    expect(seen).toEqual([ids[0], ids[2], ids[3]]);
    expect(summary).toMatchObject({ rows: 3, accounts: 3, failed: 1, nextAccountId: undefined });
    expect(lines.map(({ event }) => event)).toEqual(['sweep.account_failed', 'sweep.pass_finished']);
    expect(lines[0]?.fields).toMatchObject({ account_id: ids[1], error: new Error('locked out') });
    expect(lines[1]?.fields).toMatchObject({ rows: 3, accounts_failed: 1, outcome: 'partial' });
  });

  it('logs nothing if there was nothing to write and nothing failed (CORP-18)', async () => {
    await pass(spend(0, []));
    expect(lines).toEqual([]);
  });

  it.each([
    [{ maxRowsPerPass: 100, maxRowsPerAccount: 30 }, [30, 30, 30, 10], undefined],
    [{ maxRowsPerPass: 50, maxRowsPerAccount: 30 }, [30, 20], 2],
    [{ maxRowsPerPass: 30, maxRowsPerAccount: 30 }, [30], 1],
  ])('does not exceed either of its limits, %j (CORP-14)', async (limits, expected, next) => {
    const spent: number[] = [];
    const summary = await pass(
      (_accountId, budget) => {
        const rows = budget.left();
        spent.push(rows);
        budget.spend(rows);
        return Promise.resolve(true);
      },
      { limits: { ...LIMITS, ...limits } },
    );
    expect(spent).toEqual(expected);
    expect(summary.nextAccountId).toBe(next === undefined ? undefined : ids[next]);
  });

  it('stops at its time limit, before beginning with another account (CORP-14)', async () => {
    const seen: string[] = [];
    const summary = await pass(spend(1, seen), { limits: { ...LIMITS, maxSeconds: 0 } });
    expect([seen, summary.nextAccountId]).toEqual([[], ids[0]]);
  });

  it('serves each account in turn, however low the limit of the pass is', async () => {
    const turns = new Map<string, number>();
    let startAt: string | undefined;
    for (let round = 0; round < 12; round += 1) {
      const seen: string[] = [];
      const summary = await pass(spend(1, seen), {
        accountIds: rotate(ids, startAt),
        limits: { ...LIMITS, maxRowsPerPass: 1 },
      });
      startAt = summary.nextAccountId;
      for (const id of seen) turns.set(id, (turns.get(id) ?? 0) + 1);
    }
    expect([...turns.values()]).toEqual([3, 3, 3, 3]);
  });
});
