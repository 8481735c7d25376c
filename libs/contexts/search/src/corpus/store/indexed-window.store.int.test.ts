import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { openSearch } from '../../testing/open-search.ts';
import { listIndexedSources, selectIndexedWindow, type IndexedWindow, type TimeRange } from './indexed-window.store.ts';
import { flushPendingChunks } from './pending-chunks.store.ts';

const suite = useOpened(openSearch);
const at = (day: number) => new Date(Date.UTC(2026, 9, day));
const readWindow = async (accountId: string, range?: TimeRange): Promise<IndexedWindow | undefined> =>
  (await selectIndexedWindow(accountId, range).execute(suite().database.db)).rows[0];

describe('the ends of a corpus', () => {
  const accountId = newId();
  beforeAll(async () => {
    for (const day of [3, 1, 9]) await suite().write(accountId, 'words', { occurredAt: at(day) });
    for (const day of [4, 6, 8])
      await suite().write(accountId, 'm1', { occurredAt: at(day), redactionState: 'metadata_only' });
  });

  it('are the times of its oldest and newest chunk (CORP-10)', async () => {
    expect(await readWindow(accountId)).toMatchObject({ oldest: at(1), newest: at(9) });
  });

  it('are null without chunks (CORP-10)', async () => {
    const none = { oldest: null, newest: null, metadataOnlyFrom: null, metadataOnlyThrough: null, truncatedSources: 0 };
    expect(await readWindow(newId())).toEqual(none);
  });

  it.each<[string, TimeRange, [number, number] | null]>([
    ['everything', {}, [4, 8]],
    ['from one of them on', { startDate: at(6) }, [6, 8]],
    ['up to one of them', { endDate: at(6) }, [4, 4]],
    ['between two', { startDate: at(5), endDate: at(6) }, null],
    ['before all', { endDate: at(4) }, null],
    ['behind all', { startDate: at(9) }, null],
  ])('report what of the requested range was stored without bodies: %s (CORP-12)', async (_what, range, ends) => {
    expect(await readWindow(accountId, range)).toMatchObject({
      metadataOnlyFrom: ends === null ? null : at(ends[0]),
      metadataOnlyThrough: ends === null ? null : at(ends[1]),
      oldest: at(1),
      newest: at(9),
    });
  });

  it('report how many sources of the requested range are indexed only by head and tail (CORP-12)', async () => {
    const long = newId();
    for (const day of [2, 5]) await suite().write(long, 'word '.repeat(20_000), { occurredAt: at(day) });
    await suite().write(long, 'short', { occurredAt: at(5) });
    const count = async (range?: TimeRange) => (await readWindow(long, range))?.truncatedSources;
    expect([await count(), await count({ startDate: at(3) }), await count({ endDate: at(2) })]).toEqual([2, 1, 0]);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${selectIndexedWindow(long)}`.execute(
      suite().admin.db,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('_account_id_occurred_at_idx1 ');
  });
});

describe('the look-up of indexed sources', () => {
  it('returns the requested sources, but only within their account', async () => {
    const accountId = newId();
    const { source } = await suite().write(accountId, 'words '.repeat(1000));
    const other = { sourceKind: 'tool_call', sourceId: newId() } as const;
    const ask = (of: string) => listIndexedSources(suite().database.db, of, [source, other]);
    expect([...(await ask(accountId)).keys()]).toEqual([`tool_call:${source.sourceId}`]);
    expect((await ask(newId())).size).toBe(0);
    expect((await listIndexedSources(suite().database.db, accountId, [])).size).toBe(0);
    // The name includes the kind, since ids from two tables may be equal.
    const sameId = [{ sourceKind: 'flow_log', sourceId: source.sourceId }];
    expect((await listIndexedSources(suite().database.db, accountId, sameId)).size).toBe(0);
  });
});

describe('the pending lists of the indexes', () => {
  it('are flushed, and their content is found before and after', async () => {
    const accountId = newId();
    for (let index = 0; index < 20; index += 1) await suite().write(accountId, `sandpiper number${index}`);
    const count = async () => (await suite().search(accountId, 'sandpiper', { limit: 50 })).total;
    expect(await count()).toBe(20);
    expect(await flushPendingChunks(suite().admin.db)).toBeGreaterThan(0);
    expect(await flushPendingChunks(suite().admin.db)).toBe(0);
    expect(await count()).toBe(20);
  });
});
