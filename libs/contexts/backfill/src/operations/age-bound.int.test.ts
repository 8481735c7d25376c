import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { at, createBudget, INDEXED, openBackfill } from '../testing/open-backfill.ts';

const suite = useOpened(openBackfill);
const days = async (accountId: string) => (await suite().chunks(accountId)).map((chunk) => chunk.occurred_at);

describe('a changed age limit (CORP-16)', () => {
  it('that reaches further back resumes indexing where the last backfill ended', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}, {}, {}]);
    expect(await suite().walk(accountId, { horizon: at(4) })).toBe('finished');
    expect(await suite().walk(accountId, { horizon: at(4) })).toBe('complete');
    const budget = createBudget(1);
    expect(await suite().walk(accountId, { horizon: at(2), budget })).toBe('account_rows');
    expect(await days(accountId)).toEqual([at(3), at(4), at(5)]);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress', indexedFrom: at(3) });
    expect(await suite().walk(accountId, { horizon: at(2) })).toBe('finished');
    expect(await days(accountId)).toEqual([at(2), at(3), at(4), at(5)]);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(2) });
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await days(accountId)).toEqual([at(1), at(2), at(3), at(4), at(5)]);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(1) });
    expect(await suite().walk(accountId)).toBe('complete');
  });

  it('that is shortened leaves existing chunks, and the reported coverage remains correct', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}]);
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().walk(accountId, { horizon: at(3) })).toBe('complete');
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(1) });
    await suite().store(accountId, [{ now: new Date() }]);
    expect(await suite().walk(accountId, { horizon: at(3) })).toBe('finished');
    expect(await days(accountId)).toEqual([at(1), at(2), at(3)]);
    // The content imported on the 1st is older than the age limit: everything after it is indexed.
    const { backfillState, indexedFrom } = await suite().coverage(accountId);
    expect([backfillState, indexedFrom && indexedFrom >= at(1)]).toEqual(['complete', true]);
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await days(accountId)).toEqual([at(1), at(1), at(2), at(3)]);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(1) });
  });
});

describe('a later backfill up to an age limit (CORP-10, CORP-16)', () => {
  /** Makes all content look old: a later walk only reads content that changed since the last one. */
  const rest = (accountId: string) =>
    suite().admin.pool.query(`update gateway.runtime_session set updated_at = '2020-01-01' where account_id = $1`, [
      accountId,
    ]);
  /** Stores two new sessions, of the 2nd and the 3rd. */
  const storeMore = (accountId: string) =>
    suite().store(accountId, [{ calls: 0 }, { now: new Date() }, { now: new Date() }]);

  it('does not report coverage for content that the previous one omitted', async () => {
    const accountId = newId();
    const late = [{ kind: 'operator_note' as const, text: 'long session', occurredAt: at(6) }];
    await suite().store(accountId, [{ entries: late, now: at(20) }, {}, {}]);
    await rest(accountId);
    await suite().walk(accountId, { horizon: at(2) });
    await suite().store(accountId, [{}, {}, {}, {}, {}, {}, {}], INDEXED);
    await rest(accountId);
    await storeMore(accountId);
    expect(await suite().walk(accountId, { horizon: at(2), budget: createBudget(1) })).toBe('account_rows');
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress', indexedFrom: at(6) });
    expect(await suite().walk(accountId, { horizon: at(2) })).toBe('finished');
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(6) });
  });

  it.each([
    ['without an age limit', undefined, at(1)],
    ['with an age limit that has since advanced', at(2), at(2)],
  ])('retains the coverage of the previous one, which ran %s', async (_how, horizon, indexedFrom) => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}, {}, {}]);
    await rest(accountId);
    await suite().walk(accountId, { horizon });
    // The age limit advances by a day with each iteration.
    for (const bound of [3, 4]) {
      await suite().store(accountId, [{}, {}, {}, {}, {}].fill({ calls: 0 }).concat({ now: new Date() } as object));
      expect(await suite().walk(accountId, { horizon: at(bound) })).toBe('finished');
      expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom });
      await rest(accountId);
    }
  });
});

describe('content that is stored during and after a backfill', () => {
  it('does not hide other content that is not indexed yet, if it is indexed immediately', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}, {}]);
    await suite().walk(accountId, { budget: createBudget(1) });
    await suite().store(accountId, [{}], INDEXED);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress', indexedFrom: at(3) });
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(1) });
  });

  it('is a gap after a complete backfill, until it is indexed, if it is older than all other content', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}]);
    await suite().walk(accountId);
    await suite().store(accountId, [
      { now: new Date(), entries: [{ kind: 'operator_note', text: 'from long ago', occurredAt: at(-40) }] },
    ]);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress', backfillComplete: false });
    expect(await suite().walk(accountId)).toBe('finished');
    expect((await days(accountId))[0]).toEqual(at(-40));
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(-40) });
  });
});
