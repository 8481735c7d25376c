import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { at, createBudget, INDEXED, openBackfill } from '../testing/open-backfill.ts';
import { reindexAccount } from './reindex-account.ts';

const suite = useOpened(openBackfill);
const reindex = (accountId: string, budget = createBudget(), signal = new AbortController().signal) =>
  reindexAccount(suite().deps, { accountId, budget, signal });

/** Stores one session with a chunk per day, indexed as the previous version did. */
async function storeOld(sessions: number): Promise<string> {
  const accountId = newId();
  const describe = (day: number) => [
    { kind: 'tool_call' as const, toolName: 'sh', arguments: { file: `src/day${day}.ts` }, occurredAt: at(day) },
  ];
  await suite().store(
    accountId,
    Array.from({ length: sessions }, (_, index) => ({ entries: describe(index + 1) })),
    INDEXED,
  );
  await suite().admin.pool.query(
    `update search.chunk set tsv = to_tsvector('simple', content), index_version = 1 where account_id = $1`,
    [accountId],
  );
  return accountId;
}

/** Returns for each session, newest first, whether it is found by a part of its path. */
async function listFound(accountId: string): Promise<boolean[]> {
  const { rows } = await suite().admin.pool.query<{ found: boolean }>(
    `select tsv @@ 'ts'::tsquery as found from search.chunk where account_id = $1 order by occurred_at desc`,
    [accountId],
  );
  return rows.map(({ found }) => found);
}

describe('reindexing an account (CORP-30)', () => {
  it('leaves no chunk of an older version, and has nothing to do when it runs again', async () => {
    const accountId = await storeOld(3);
    expect(await listFound(accountId)).toEqual([false, false, false]);
    const budget = createBudget();
    expect([await reindex(accountId, budget), budget.spent]).toEqual([true, 3]);
    expect(await listFound(accountId)).toEqual([true, true, true]);
    const again = createBudget();
    expect([await reindex(accountId, again), again.spent]).toEqual([true, 0]);
  });

  it('does not exceed its limit, starts with the newest content, and resumes from its position', async () => {
    const accountId = await storeOld(4);
    expect(await reindex(accountId, createBudget(2))).toBe(false);
    expect(await listFound(accountId)).toEqual([true, true, false, false]);
    await reindex(accountId);
    expect(await listFound(accountId)).toEqual([true, true, true, true]);
  });

  it('skips locked rows, and stops on request', async () => {
    const accountId = await storeOld(2);
    expect(await reindex(accountId, createBudget(), AbortSignal.abort())).toBe(false);
    const holder = await suite().admin.pool.connect();
    await holder.query('begin');
    await holder.query(
      'select 1 from search.chunk where account_id = $1 order by occurred_at desc limit 1 for update',
      [accountId],
    );
    await reindex(accountId);
    await holder.query('rollback');
    holder.release();
    expect(await listFound(accountId)).toEqual([false, true]);
    await reindex(accountId);
    expect(await listFound(accountId)).toEqual([true, true]);
  });
});
