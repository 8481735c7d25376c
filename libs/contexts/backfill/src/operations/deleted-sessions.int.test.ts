import { beginTrace, newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { deleteRuntimeSession } from '@steward/sessions';
import { eventually, useOpened } from '@steward/testing';
import { createBudget, INDEXED, openBackfill } from '../testing/open-backfill.ts';
import { remaskAccount } from './remask-account.ts';

const suite = useOpened(openBackfill);

/**
 * Deletes the session in a transaction that commits when `work` waits for it; until then `work` still sees the session.
 */
async function deleteMeanwhile<T>(accountId: string, sessionId: string, work: () => Promise<T>): Promise<T> {
  const { sweeper, admin } = suite();
  let working: Promise<T> | undefined;
  await transact(sweeper, async (trx) => {
    expect(await deleteRuntimeSession(trx, { accountId, sessionId })).toEqual({ kind: 'deleted' });
    working = work();
    working.catch(() => undefined);
    await eventually(async () => {
      const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return ((await admin.pool.query(blocked)).rowCount ?? 0) > 0;
    });
  });
  return working as Promise<T>;
}

describe('a backfill that reaches a session deleted since the session was read (SESS-21)', () => {
  it('writes no chunk of that session, but the chunks of the others', async () => {
    const accountId = newId();
    const [, sessionId = ''] = await suite().store(accountId, [{ title: 'stays' }, { title: 'goes' }]);
    expect(await deleteMeanwhile(accountId, sessionId, () => suite().walk(accountId))).toBe('finished');
    const chunks = await suite().chunks(accountId);
    expect(chunks.map(({ content }) => content.includes('goes') || content.includes('step 1'))).toEqual([false, false]);
  });

  it('creates no chunk of that session when masking with newer credential rules', async () => {
    const accountId = newId();
    const [sessionId = ''] = await suite().store(accountId, [{ title: 'T' }], INDEXED);
    await suite().admin.pool.query(
      `update search.chunk set mask_version = 1, content_hash = sha256(content_hash) where account_id = $1`,
      [accountId],
    );
    const ids = async () =>
      (await suite().admin.pool.query('select id from search.chunk where account_id = $1 order by id', [accountId]))
        .rows;
    const before = await ids();
    const signal = new AbortController().signal;
    const request = { accountId, budget: createBudget(), signal, traceparent: beginTrace() };
    await deleteMeanwhile(accountId, sessionId, () => remaskAccount(suite().deps, request));
    expect(await ids()).toEqual(before);
  });
});
