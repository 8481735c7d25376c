import { newId } from '@steward/crypto';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { logLine, useSessions, type Key } from '../../testing/use-sessions.ts';
import { updateRuntimeSession } from '../../sessions/operations/update-runtime-session.ts';
import { findUnindexedContent, listUnindexedContent, noteMovedSession } from './unindexed-content.store.ts';

const sessions = useSessions();
const QUIET = { ...WRITE_OPTIONS, indexEnabled: false };
const HOUR_MS = 3_600_000;
const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const find = (accountId: string) => findUnindexedContent(sessions.db(), accountId);
const readGeneration = async (accountId: string) => (await find(accountId))?.generation;
const store = (key: Key, day: number) => sessions.append(key, [logLine('quiet', at(day))], QUIET);

describe('the record of content stored without being indexed (CORP-8)', () => {
  it('has a generation that increases with each transaction, including for older content', async () => {
    const key = await sessions.openSession();
    const generations: (number | undefined)[] = [];
    for (const day of [5, 3, 9]) {
      await store(key, day);
      generations.push(await readGeneration(key.accountId));
    }
    expect(generations).toEqual([...generations].sort((a, b) => Number(a) - Number(b)));
    expect(new Set(generations).size).toBe(3);
    expect((await find(key.accountId))?.latestOccurredAt).toEqual(at(9));
  });

  it('loses no content under concurrent writes', async () => {
    const key = await sessions.openSession();
    await store(key, 1);
    const before = (await readGeneration(key.accountId)) ?? 0;
    await Promise.all([4, 8, 2, 6, 3].map((day) => store(key, day)));
    expect(await find(key.accountId)).toEqual({ generation: before + 5, latestOccurredAt: at(8) });
  });

  it('includes the start of a session whose title and summary are not indexed; removing them records nothing', async () => {
    const key = await sessions.openSession({ startedAt: at(4) });
    const change = (title: string | null) =>
      sessions.run((trx, hints) => updateRuntimeSession(trx, hints, { ...key, title, now: new Date() }, QUIET));
    await change(null);
    expect(await find(key.accountId)).toBeUndefined();
    await change('Title');
    expect((await find(key.accountId))?.latestOccurredAt).toEqual(at(4));
    const generation = await readGeneration(key.accountId);
    await change(null);
    expect(await readGeneration(key.accountId)).toBe(generation);
  });

  it('is read for many accounts at once, and only for those that have such content', async () => {
    const [noted, indexed] = [await sessions.openSession(), await sessions.openSession()];
    await store(noted, 2);
    await sessions.append(indexed, [logLine('indexed')]);
    const found = await listUnindexedContent(sessions.db(), [noted.accountId, indexed.accountId, newId()]);
    expect([...found]).toEqual([[noted.accountId, await find(noted.accountId)]]);
    expect((await listUnindexedContent(sessions.db(), [])).size).toBe(0);
  });
});

describe('a session whose position changes', () => {
  const move = (accountId: string, createdAt: Date) =>
    sessions.run((trx) => noteMovedSession(trx, { accountId, createdAt }));

  it('updates the record of its account unless it was created well after the last such content, because clocks may differ', async () => {
    const key = await sessions.openSession();
    await store(key, 1);
    const { accountId } = key;
    const risesBy = async (createdAt: Date) => {
      const before = (await readGeneration(accountId)) ?? 0;
      await move(accountId, createdAt);
      return ((await readGeneration(accountId)) ?? 0) - before;
    };
    expect(await risesBy(new Date(Date.now() - HOUR_MS))).toBe(1);
    expect(await risesBy(new Date(Date.now() + 2 * HOUR_MS))).toBe(1);
    expect(await risesBy(new Date(Date.now() + 4 * HOUR_MS))).toBe(0);
  });

  it('records nothing for an account without such content or for another account', async () => {
    const key = await sessions.openSession();
    await store(key, 1);
    const before = await find(key.accountId);
    await move(newId(), new Date(0));
    const indexed = await sessions.openSession({ sessionSourceId: 'x', startedAt: at(1) });
    await move(indexed.accountId, new Date(0));
    expect([await find(key.accountId), await find(indexed.accountId)]).toEqual([before, undefined]);
  });

  it('is one whose start is moved to an earlier time by its client', async () => {
    const source = { sessionSourceType: 'ci', sessionSourceId: 'run' };
    const key = await sessions.openSession({ ...source, startedAt: at(2) });
    await store(key, 2);
    const before = await readGeneration(key.accountId);
    const open = (day: number) =>
      sessions.upsert({ accountId: key.accountId, ...source, startedAt: at(day), now: new Date() });
    await open(1);
    expect(await readGeneration(key.accountId)).toBe(before);
    await open(3);
    expect(await readGeneration(key.accountId)).toBe((before ?? 0) + 1);
  });
});
