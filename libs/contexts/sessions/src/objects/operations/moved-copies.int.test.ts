import { newId } from '@steward/crypto';
import { StoreError } from '@steward/storage';
import { readStoredSources } from '../../content/operations/list-chunk-sources.ts';
import { chooseSearched } from '../../content/operations/searched-copies.ts';
import type { SessionContentEntry } from '../../content/rules/content-kinds.ts';
import { findUnindexedContent } from '../../content/store/unindexed-content.store.ts';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import { purgeDeletedSession } from '../../deletion/operations/purge-deleted-session.ts';
import { listSessions } from '../../sessions/store/find-session.store.ts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { useContentStore } from '../../testing/use-content-store.ts';
import { useSessions, type Key } from '../../testing/use-sessions.ts';

const sessions = useSessions();
const store = useContentStore(sessions);
const down = () => store.open({ open: () => Promise.reject(new StoreError('unreachable', 'gone')) });
const call = (result: string, revision = 0): SessionContentEntry => ({
  ...{ kind: 'tool_call', toolName: 'look', arguments: {}, externalId: 'call-1', origin: 'call-1' },
  ...{ result: `${result} `.repeat(4000), revision, occurredAt: new Date(Date.UTC(2026, 9, 5)) },
});

/** Opens a session and a fork of it, which has the same call, and moves the bodies of both. */
async function storeForked(): Promise<{ readonly first: Key; readonly second: Key }> {
  const accountId = newId();
  const open = (): Promise<Key> => sessions.openSession({ accountId, sessionSourceId: newId() });
  const [first, second] = [await open(), await open()];
  await sessions.append(first, [call('heron')]);
  await sessions.append(second, [call('heron')]);
  await store.move();
  return { first, second };
}
const findWords = async (key: Key): Promise<readonly string[]> => {
  const texts = (await sessions.readChunks(key)).map(({ content }) => content);
  return ['heron', 'kingfisher'].filter((word) => texts.some((text) => text.includes(word)));
};
const rewrite = (key: Key, contentObjects = store.open()) =>
  sessions.append(key, [call('kingfisher', 1)], { ...WRITE_OPTIONS, contentObjects });

describe('copies whose bodies were moved (IMP-13, PROC-25)', () => {
  it('are compared without opening them', async () => {
    const { first, second } = await storeForked();
    const chooseIn = async (key: Key) => {
      const items = await sessions.readTimeline(key);
      return (await chooseSearched(sessions.db(), key.accountId, items)).size;
    };
    expect([await chooseIn(first), await chooseIn(second)]).toEqual([1, 0]);
    await rewrite(second);
    expect([await chooseIn(second), await findWords(second)]).toEqual([1, ['kingfisher']]);
    await store.move();
    expect(await chooseIn(second)).toBe(1);
  });

  it('are indexed from the store when the original is rewritten', async () => {
    const { first, second } = await storeForked();
    expect([await findWords(first), await findWords(second)]).toEqual([['heron'], []]);
    await rewrite(first);
    expect([await findWords(first), await findWords(second)]).toEqual([['kingfisher'], ['heron']]);
  });

  it('are left to the sweeper if the store does not respond, and the rewritten original is stored', async () => {
    const { first, second } = await storeForked();
    const { accountId } = first;
    expect(await findUnindexedContent(sessions.db(), accountId)).toBeUndefined();
    const before = new Date();
    await sessions.query(`update gateway.runtime_session set updated_at = '2026-01-01' where account_id = $1`, [
      accountId,
    ]);
    expect(await rewrite(first, down())).toMatchObject({ replaced: 1 });
    expect([await findWords(first), await findWords(second)]).toEqual([['kingfisher'], []]);
    expect(await findUnindexedContent(sessions.db(), accountId)).toMatchObject({
      latestOccurredAt: new Date(Date.UTC(2026, 9, 5)),
    });
    const changed = await listSessions(sessions.db(), { accountId, touchedSince: before, limit: 10 });
    expect(changed.map(({ id }) => id)).toContain(second.sessionId);
    const sources = await readStoredSources(
      sessions.db(),
      [(await sessions.read(second))!],
      (await sessions.readTimeline(second)).map(({ id }) => id),
      store.open(),
    );
    expect(sources.map(({ render }) => render().text.includes('heron'))).toEqual([true]);
  });

  it('replace an original that is deleted, as soon as the store responds', async () => {
    const { first, second } = await storeForked();
    await sessions.run((trx) => deleteRuntimeSession(trx, first));
    expect(await purgeDeletedSession(store.sweeper(), [], down())).toMatchObject({ isPostponed: true });
    expect(await findWords(second)).toEqual([]);
    const other = await sessions.openSession();
    await sessions.run((trx) => deleteRuntimeSession(trx, other));
    const steps = [];
    for (let step = 0; step < 2; step += 1) steps.push(await purgeDeletedSession(store.sweeper(), [], down()));
    // The other session is deleted meanwhile, although its deletion was requested later.
    expect(steps.find((step) => step?.sessionId === other.sessionId)).toMatchObject({ isDone: true });
    while ((await purgeDeletedSession(store.sweeper(), [], store.open())) !== undefined);
    expect(await findWords(second)).toEqual(['heron']);
    expect(await sessions.readTimeline(second)).toMatchObject([{ copyOf: null, contentError: 'unavailable' }]);
  });
});
