import { purgeDeletedSession } from '../../deletion/operations/purge-deleted-session.ts';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import type { SessionContentEntry } from '../../content/rules/content-kinds.ts';
import { useContentStore } from '../../testing/use-content-store.ts';
import { message, useSessions, type Key } from '../../testing/use-sessions.ts';
import { removeObjects } from './remove-objects.ts';
import { removeOrphans } from './remove-orphans.ts';

const sessions = useSessions();
const store = useContentStore(sessions);
const signal = new AbortController().signal;
const long = (seed: string): string => seed.repeat(20_000).slice(0, 20_000);
const remove = () => removeObjects({ db: store.sweeper(), bucket: store.bucket() }, signal);
const keysOf = ({ sessionId }: Key): string[] => store.listKeys().filter((key) => key.includes(sessionId));
const storeMoved = async (count: number, accountId?: string): Promise<Key> => {
  const key = await sessions.openSession(accountId === undefined ? {} : { accountId });
  await sessions.append(
    key,
    Array.from({ length: count }, (_, index) => message(long(`${index} `), `m${index}`)),
  );
  await store.move();
  expect(keysOf(key)).toHaveLength(count);
  return key;
};
const deleteSession = (key: Key) => sessions.run((trx) => deleteRuntimeSession(trx, key));
const purge = async (): Promise<void> => {
  while ((await purgeDeletedSession(store.sweeper(), [], store.open())) !== undefined);
};
const countRemovals = async (): Promise<number> => (await sessions.query('select from gateway.content_removal')).length;

describe('objects of deleted sessions (SESS-20)', () => {
  it('are removed after the rows of the session, and no others', async () => {
    const other = await storeMoved(2);
    const key = await storeMoved(5, other.accountId);
    await deleteSession(key);
    expect(await remove()).toBe(0);
    await purge();
    expect(await remove()).toBe(5);
    expect([keysOf(key), keysOf(other).length, await countRemovals()]).toEqual([[], 2, 0]);
  });

  it('are not removed before the last row is deleted, because bodies may still be moved until then', async () => {
    const key = await storeMoved(250);
    await deleteSession(key);
    await purgeDeletedSession(store.sweeper(), [], store.open());
    expect([await countRemovals(), await remove(), keysOf(key).length]).toEqual([1, 0, 250]);
    await purge();
    expect(await remove()).toBe(250);
  });

  it('are removed when the store responds again', async () => {
    const key = await storeMoved(2);
    await deleteSession(key);
    await purge();
    store.server().setDown(true);
    try {
      await expect(remove()).rejects.toThrow(/object store/);
    } finally {
      store.server().setDown(false);
    }
    expect([await countRemovals(), keysOf(key).length]).toEqual([1, 2]);
    // Another attempt begins after some minutes.
    expect(await remove()).toBe(0);
    await sessions.query('update gateway.content_removal set due_at = now()');
    expect([await remove(), keysOf(key)]).toEqual([2, []]);
  });
});

describe('the object of rewritten content', () => {
  it('is removed some minutes later, when no reader needs it any more', async () => {
    const key = await storeMoved(1);
    await sessions.append(key, [{ ...message('short', 'm0'), revision: 1 } as SessionContentEntry]);
    expect((await sessions.readTimeline(key)).map(({ content }) => content)).toEqual(['short']);
    expect([await remove(), keysOf(key).length]).toEqual([0, 1]);
    await sessions.query(`update gateway.content_removal set due_at = due_at - interval '16 minutes'`);
    expect([await remove(), keysOf(key)]).toEqual([1, []]);
  });

  it('is replaced by a row with the same body without indexing it again', async () => {
    const key = await storeMoved(1);
    const chunks = await sessions.readChunks(key);
    const same = { ...message(long('0 '), 'm0'), revision: 1 } as SessionContentEntry;
    const outcome = await sessions.append(key, [same]);
    expect(outcome).toMatchObject({ replaced: 0 });
    expect((await sessions.readTimeline(key)).map(({ content }) => content)).toEqual([long('0 ')]);
    expect(await sessions.readChunks(key)).toEqual(chunks);
    await sessions.query('delete from gateway.content_removal');
  });
});

describe('objects that no content names (LIM-115)', () => {
  const removeOld = (after?: string) =>
    removeOrphans({ db: store.sweeper(), bucket: store.bucket() }, { after, now: new Date(), signal });
  const nameOrphan = (key: Key, index: number): string =>
    `content/${key.accountId}/${key.sessionId}/00000000-0000-4000-8000-${String(index).padStart(12, '0')}-0-${'a'.repeat(16)}`;
  const storeOrphans = async (key: Key, count: number): Promise<string[]> => {
    const names = Array.from({ length: count }, (_, index) => nameOrphan(key, index));
    for (const name of names) await store.bucket().putBytes({ key: name, bytes: Buffer.from('orphan') });
    return names;
  };
  const age = (names: readonly string[]): void => {
    for (const name of names) store.server().age(`steward/${name}`, new Date(Date.now() - 2 * 86_400_000));
  };

  it('are removed a day after they were stored; those that content names stay', async () => {
    const key = await storeMoved(3);
    age(keysOf(key));
    const orphans = await storeOrphans(key, 2);
    expect(await removeOld()).toEqual({ removed: 0, refused: 0, next: undefined });
    age(orphans);
    expect((await removeOld()).removed).toBe(2);
    expect(keysOf(key)).toHaveLength(3);
  });

  it('stay if they are most of what is stored, because the database is then probably another one', async () => {
    const key = await storeMoved(1);
    const orphans = await storeOrphans(key, 120);
    age(orphans);
    expect(await removeOld()).toMatchObject({ removed: 0, refused: 120 });
    expect(keysOf(key)).toHaveLength(121);
    await store.bucket().remove(orphans);
  });

  it('do not include objects of others in the bucket', async () => {
    await store.bucket().putBytes({ key: 'content/notes.txt', bytes: Buffer.from('mine') });
    age(['content/notes.txt']);
    expect((await removeOld()).removed).toBe(0);
    expect(store.listKeys()).toContain('content/notes.txt');
  });
});
