import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { at, createBudget, INDEXED, openBackfill } from '../testing/open-backfill.ts';
import { readCoverage, readCoverageCancellably } from './read-coverage.ts';

const suite = useOpened(openBackfill);
const options = { timeoutMs: 20_000, signal: new AbortController().signal };
/** Reads coverage in the way a search does, and checks each time that the plain read returns the same. */
async function read(accountId: string, range: { startDate?: Date; endDate?: Date } = {}) {
  const { db, pool } = suite().admin;
  const coverage = await readCoverageCancellably(
    { db, pools: { work: pool, cancel: pool } },
    { accountId, range },
    options,
  );
  expect(await readCoverage(suite().sweeper.db, accountId, range)).toEqual(coverage);
  return coverage;
}

describe('the coverage of an account’s corpus', () => {
  it('includes everything if all content was indexed on write, without a backfill (CORP-10, CORP-11)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}], INDEXED);
    expect(await read(accountId)).toEqual({
      indexedFrom: at(1),
      indexedThrough: at(3),
      backfillState: 'complete',
      backfillComplete: true,
      metadataOnlyFrom: null,
      metadataOnlyThrough: null,
      truncatedSources: 0,
    });
  });

  it('is complete and empty for an account that never stored anything (CORP-10, CORP-11)', async () => {
    expect(await read(newId())).toMatchObject({ backfillState: 'complete', indexedFrom: null, indexedThrough: null });
  });

  it('changes from not_started to in_progress to complete with the backfill (CORP-11)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}]);
    const states = [];
    for (const rows of [0, 2, 2, 2]) {
      if (rows > 0) await suite().walk(accountId, { budget: createBudget(rows) });
      const { backfillState, backfillComplete, indexedFrom } = await read(accountId);
      states.push([backfillState, backfillComplete, indexedFrom?.getUTCDate() ?? null]);
    }
    expect(states).toEqual([
      ['not_started', false, null],
      ['in_progress', false, 2],
      ['complete', true, 1],
      ['complete', true, 1],
    ]);
  });

  it('has a gap from the moment something is stored without being indexed (CORP-11)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}], INDEXED);
    await suite().store(accountId, [{}, {}, {}, {}]);
    expect(await read(accountId)).toMatchObject({
      backfillState: 'not_started',
      indexedFrom: at(4),
      indexedThrough: at(2),
    });
  });

  it('reports the earliest and latest content that was stored without bodies in the requested range (CORP-12)', async () => {
    const accountId = newId();
    const interaction = (day: number) => ({
      kind: 'gateway_interaction' as const,
      modelAlias: 'm',
      providerName: 'p',
      request: {},
      response: {},
      occurredAt: at(day),
    });
    const sessions = [4, 6, 8].map((day) => ({ entries: [interaction(day)] }));
    await suite().store(accountId, sessions, { ...INDEXED, captureContent: false });
    const ends = async (range: { startDate?: Date; endDate?: Date }) => {
      const { metadataOnlyFrom, metadataOnlyThrough } = await read(accountId, range);
      return [metadataOnlyFrom?.getUTCDate(), metadataOnlyThrough?.getUTCDate()];
    };
    expect(await ends({})).toEqual([4, 8]);
    expect(await ends({ startDate: at(5) })).toEqual([6, 8]);
    expect(await ends({ endDate: at(8) })).toEqual([4, 6]);
    expect(await ends({ startDate: at(5), endDate: at(6) })).toEqual([undefined, undefined]);
  });

  it('is read within the time limit of its search (SRCH-28)', async () => {
    const { db, pool } = suite().admin;
    const client = await suite().admin.pool.connect();
    await client.query('begin; lock table search.chunk in access exclusive mode');
    try {
      const key = { accountId: newId(), range: {} };
      const deps = { db, pools: { work: pool, cancel: pool } };
      await expect(readCoverageCancellably(deps, key, { ...options, timeoutMs: 200 })).rejects.toMatchObject({
        name: 'OutOfTimeError',
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
