import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { eventually, useOpened } from '@steward/testing';
import { at, createBudget, INDEXED, openBackfill } from '../testing/open-backfill.ts';

const suite = useOpened(openBackfill);
/**
 * Runs passes with these row budgets, one after the other, until one completes; returns the number of rows that each
 * wrote.
 */
async function walkInPasses(accountId: string, budgets: readonly number[]): Promise<number[]> {
  const spent: number[] = [];
  for (let pass = 0; ; pass += 1) {
    const budget = createBudget(budgets[pass % budgets.length]);
    const outcome = await suite().walk(accountId, { budget });
    spent.push(budget.spent);
    if (outcome === 'finished' || outcome === 'complete') return spent;
    expect(outcome).toBe('account_rows');
    expect(pass).toBeLessThan(100);
  }
}

/** Creates a budget that throws after a number of queries; a batch makes two. */
function createDyingBudget(questions: number) {
  let asked = 0;
  return {
    ...createBudget(),
    exhausted() {
      asked += 1;
      if (asked > questions) throw new Error('killed');
      return undefined;
    },
  };
}

describe('an interrupted backfill', () => {
  it('resumes from its watermark, newest first, and writes nothing twice (CORP-15)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}, {}, {}]);
    const seen: [number, Date | null | undefined][] = [];
    for (const outcome of ['account_rows', 'account_rows', 'finished']) {
      expect(await suite().walk(accountId, { budget: createBudget(2) })).toBe(outcome);
      const { indexedFrom } = await suite().coverage(accountId);
      seen.push([(await suite().chunks(accountId)).length, indexedFrom]);
    }
    expect(seen).toEqual([
      [2, at(4)],
      [4, at(2)],
      [5, at(1)],
    ]);
  });

  it('does not exceed its row limit within a session, which is read again until it is complete (CORP-14, CORP-15)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{ calls: 1 }, { title: 'long', calls: 11 }]);
    expect(await walkInPasses(accountId, [4])).toEqual([4, 4, 4, 1]);
    expect(await suite().chunks(accountId)).toHaveLength(13);
  });

  it('writes every source completely, however many chunks it has, and at least one source per pass', async () => {
    const accountId = newId();
    const entries = [1, 2].map((call) => ({
      kind: 'tool_call' as const,
      toolName: 'sh',
      arguments: { text: `call ${call} `.repeat(1000) },
      occurredAt: new Date(at(1).getTime() + call),
    }));
    await suite().store(accountId, [{ entries }]);
    const spent = await walkInPasses(accountId, [1]);
    expect(spent.filter((rows) => rows > 0)).toHaveLength(2);
    expect(Math.min(...spent.slice(0, 2))).toBeGreaterThan(5);
  });

  it.each(['account_rows', 'pass_rows'] as const)('reports the reason why it stopped: %s', async (reason) => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}]);
    const budget = createBudget(1, reason);
    expect(await suite().walk(accountId, { budget })).toBe(reason);
    expect(await suite().watermark(accountId)).toMatchObject({ state: 'in_progress', stopReason: reason, written: 1 });
  });

  it('stops between two pages when the process shuts down, and is resumed by the next one', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}]);
    expect(await suite().walk(accountId, { signal: AbortSignal.abort() })).toBe('pass_seconds');
    expect(await suite().watermark(accountId)).toBeUndefined();
    expect(await suite().chunks(accountId)).toEqual([]);
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().chunks(accountId)).toHaveLength(2);
  });

  it('without any rows left does not count as served (CORP-14)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{ entries: [{ kind: 'flow_log', text: 'line '.repeat(600), step: 'agent' }] }]);
    const used = createBudget(3, 'pass_rows');
    used.spend(2);
    expect(await suite().walk(accountId, { budget: used })).toBe('pass_rows');
    const late = { ...used, exhausted: () => 'pass_seconds' as const };
    expect(await suite().walk(accountId, { budget: late })).toBe('pass_seconds');
    expect(await suite().watermark(accountId)).toBeUndefined();
  });

  it('writes at least one source in a pass whose time is used up by reading', async () => {
    const accountId = newId();
    await suite().store(accountId, [{ calls: 2 }, {}]);
    const slow = () => ({ ...createBudget(), exhausted: () => 'pass_seconds' as const });
    for (const rows of [1, 2, 3]) {
      expect(await suite().walk(accountId, { budget: slow() })).toBe(rows === 3 ? 'finished' : 'pass_seconds');
      expect(await suite().chunks(accountId)).toHaveLength(rows);
    }
  });

  it('that crashed is resumed from its last committed transaction (CORP-15)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, { calls: 450 }, {}]);
    const dies = createDyingBudget(2);
    await expect(suite().walk(accountId, { budget: dies })).rejects.toThrow('killed');
    const before = await suite().chunks(accountId);
    expect(before).toHaveLength(400);
    expect(await suite().watermark(accountId)).toMatchObject({ state: 'in_progress', cursor: { startedAt: at(3) } });
    const rest = createBudget();
    expect(await suite().walk(accountId, { budget: rest })).toBe('finished');
    expect(rest.spent).toBe(52);
    expect(await suite().chunks(accountId)).toHaveLength(452);
  });

  it('that crashed covers only the part it completed, even if the corpus contains older sessions (CORP-10)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}], INDEXED);
    await suite().store(accountId, [{}, { calls: 450 }, {}]);
    const dies = createDyingBudget(2);
    await expect(suite().walk(accountId, { budget: dies })).rejects.toThrow('killed');
    expect(await suite().chunks(accountId)).toHaveLength(401);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress', indexedFrom: at(3) });
  });

  it('continues with other connections if its own fail, or fails and is then resumed (PROC-9)', async () => {
    const accountId = newId();
    await suite().store(
      accountId,
      Array.from({ length: 8 }, () => ({})),
    );
    const budget = createBudget();
    let asked = 0;
    let killing: Promise<unknown> | undefined;
    const cut = {
      ...budget,
      exhausted() {
        asked += 1;
        if (asked === 4)
          killing = suite().admin.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and usename = 'steward_backfill_sweeper'`,
          );
        return undefined;
      },
    };
    // The error depends on the state of the connection when it was terminated.
    await suite()
      .walk(accountId, { budget: cut })
      .catch(() => undefined);
    await killing;
    await eventually(async () => ['finished', 'complete'].includes(await suite().walk(accountId)));
    expect(await suite().chunks(accountId)).toHaveLength(8);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete' });
  });

  it('results in the same corpus, however it is interrupted', async () => {
    const shape = fc.array(fc.nat(6), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(shape, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), async (calls, budgets) => {
        const accountId = newId();
        await suite().store(
          accountId,
          calls.map((count) => ({ calls: count, title: `of ${count}` })),
        );
        const spent = await walkInPasses(accountId, budgets);
        const rows = calls.reduce((sum, count) => sum + count + 1, 0);
        expect(spent.reduce((sum, each) => sum + each, 0)).toBe(rows);
        expect(await suite().chunks(accountId)).toHaveLength(rows);
        expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(1) });
      }),
      { numRuns: 12 },
    );
  });
});
