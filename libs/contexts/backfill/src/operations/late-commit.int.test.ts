import { beginTrace, newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { upsertRuntimeSession } from '@steward/sessions';
import { useOpened } from '@steward/testing';
import { at, INDEXED, openBackfill, UNINDEXED } from '../testing/open-backfill.ts';

const suite = useOpened(openBackfill);

/** Stores a session without indexing it, in a transaction during which something else happens. */
function storeDuring(accountId: string, meanwhile: () => Promise<unknown>): Promise<unknown> {
  const { admin, deps } = suite();
  return transact({ db: admin.db, broker: deps.broker, traceparent: beginTrace() }, async (trx, hints) => {
    const opened = { accountId, sessionSourceType: 't', sessionSourceId: newId(), title: 'late walrus' };
    await upsertRuntimeSession(trx, hints, { ...opened, startedAt: at(9), now: new Date() }, UNINDEXED);
    await meanwhile();
  });
}

describe('content that is committed after a backfill completed', () => {
  it('is indexed, whatever time it has (CORP-17)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}]);
    await storeDuring(accountId, async () => {
      expect(await suite().walk(accountId)).toBe('finished');
      expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete' });
    });
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress', indexedFrom: at(9) });
    expect(await suite().walk(accountId)).toBe('finished');
    expect((await suite().chunks(accountId)).map(({ content }) => content)).toContain('late walrus');
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete' });
  });
});

describe('an account whose content was always indexed on write', () => {
  it('is complete from the beginning, even during a backfill (CORP-11)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}], INDEXED);
    const before = await suite().coverage(accountId);
    await suite().walk(accountId, { signal: AbortSignal.abort() });
    expect(await suite().coverage(accountId)).toEqual(before);
    await suite().walk(accountId, { horizon: at(2) });
    expect(await suite().coverage(accountId)).toEqual(before);
  });
});
