import { newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import { purgeDeletedSession } from '../../deletion/operations/purge-deleted-session.ts';
import { useSessions, type Key } from '../../testing/use-sessions.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { findOriginals } from '../store/copied-content.store.ts';
import { listSessionChunkSources } from './list-chunk-sources.ts';
import { findSession, toRuntimeSession } from '../../sessions/store/find-session.store.ts';

const sessions = useSessions();

/** Returns a call in the form in which a file contains it; its result may follow later. */
const call = (result: string | undefined, revision = 0): SessionContentEntry => ({
  ...{ kind: 'tool_call', toolName: 'look', arguments: { at: 'pond' }, externalId: 'call-1', origin: 'call-1' },
  ...{ result, revision, occurredAt: new Date(Date.UTC(2026, 9, 5)) },
});

const openSession = (accountId: string): Promise<Key> => sessions.openSession({ accountId, sessionSourceId: newId() });

/** Returns the searchable text of a session, which is also used when the session is indexed again. */
async function readSearched(key: Key): Promise<string[]> {
  const texts = (await sessions.readChunks(key)).map(({ content }) => content);
  const row = await sessions.run((trx) => findSession(trx, key.accountId, key.sessionId));
  if (row === undefined) throw new Error('no session');
  const { sources } = await listSessionChunkSources(sessions.db(), toRuntimeSession(row), { limit: 10 });
  const listed = sources.filter(({ sourceKind }) => sourceKind === 'tool_call').map(({ text }) => text);
  expect(listed).toEqual(texts);
  return texts;
}

describe('a copy that differs from its original (IMP-13)', () => {
  it('is also searchable until the original is equal to it', async () => {
    const accountId = newId();
    const [first, second] = [await openSession(accountId), await openSession(accountId)];
    await sessions.append(first, [call(undefined)]);
    await sessions.append(second, [call('a heron', 1)]);
    expect(await readSearched(second)).toEqual([expect.stringContaining('heron')]);
    await sessions.append(first, [call('a heron', 1)]);
    expect(await readSearched(first)).toEqual([expect.stringContaining('heron')]);
    expect(await readSearched(second)).toEqual([]);
  });

  it('is not searchable once it is equal', async () => {
    const accountId = newId();
    const [first, second] = [await openSession(accountId), await openSession(accountId)];
    await sessions.append(first, [call('a heron', 1)]);
    await sessions.append(second, [call(undefined)]);
    await sessions.append(second, [call('a heron', 1)]);
    expect(await readSearched(second)).toEqual([]);
  });

  it('is searchable as soon as either it or its original changes', async () => {
    const accountId = newId();
    const [first, second] = [await openSession(accountId), await openSession(accountId)];
    await sessions.append(first, [call(undefined)]);
    await sessions.append(second, [call(undefined)]);
    expect(await readSearched(second)).toEqual([]);
    await sessions.append(second, [call('a kingfisher', 1)]);
    await sessions.append(first, [call('a heron', 1)]);
    expect(await readSearched(first)).toEqual([expect.stringContaining('heron')]);
    expect(await readSearched(second)).toEqual([expect.stringContaining('kingfisher')]);
  });
});

describe('a copy whose original is deleted at the same time (IMP-13)', () => {
  it('replaces it: the deletion waits for the writer of the copy', async () => {
    const accountId = newId();
    const [first, second] = [await openSession(accountId), await openSession(accountId)];
    await sessions.append(first, [call('a heron')]);
    await sessions.run((trx) => deleteRuntimeSession(trx, first));
    const { db } = sessions.connectAs(APP_ROLES.backfillSweeper);
    const purge = async () => {
      while ((await purgeDeletedSession(db, [])) !== undefined);
    };
    await Promise.all([sessions.append(second, [call('a heron')]), purge()]);
    await purge();
    expect(await readSearched(second)).toEqual([expect.stringContaining('heron')]);
    expect(await sessions.readTimeline(second)).toMatchObject([{ copyOf: null }]);
  });

  it('detects an original that is already deleted', async () => {
    const row = { id: newId(), external_id: 'call-1', origin: newId() };
    const found = await sessions.run((trx) =>
      findOriginals(trx, { accountId: newId(), sessionId: newId() }, [row as never]),
    );
    expect([...found]).toEqual([[row.id, 'gone']]);
  });
});
