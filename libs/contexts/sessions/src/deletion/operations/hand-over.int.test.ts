import { newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import type { SessionContentEntry } from '../../content/rules/content-kinds.ts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { useSessions, type Key } from '../../testing/use-sessions.ts';
import { deleteRuntimeSession } from './delete-runtime-session.ts';
import { purgeDeletedSession } from './purge-deleted-session.ts';

const sessions = useSessions();
/** Returns the same entry for a fork and for its original session. */
const said = (origin: string): SessionContentEntry => ({
  ...{ kind: 'transcript_message', role: 'assistant', content: `the words of ${origin}`, externalId: origin, origin },
  inputTokens: 7,
  occurredAt: new Date(Date.UTC(2026, 9, 5)),
});

async function fork(accountId: string, origins: readonly string[], options = WRITE_OPTIONS): Promise<Key> {
  const key = await sessions.openSession({ accountId, sessionSourceId: newId() });
  await sessions.append(key, origins.map(said), options);
  return key;
}

async function remove(key: Key): Promise<void> {
  await sessions.run((trx) => deleteRuntimeSession(trx, key));
  const { db } = sessions.connectAs(APP_ROLES.backfillSweeper);
  while ((await purgeDeletedSession(db, [])) !== undefined);
}

const look = async (key: Key) => {
  const items = await sessions.readTimeline(key);
  const chunks = await sessions.readChunks(key);
  return items.map(({ id, copyOf, inputTokens }) => [
    copyOf?.sessionId ?? null,
    inputTokens,
    chunks.filter((chunk) => chunk.source_id === id).length,
  ]);
};

describe('an entry that a fork copied', () => {
  it('is assigned to the oldest fork when its session is deleted; it is then found and counted there (IMP-13)', async () => {
    const accountId = newId();
    const [first, second, third] = [
      await fork(accountId, ['a', 'b']),
      await fork(accountId, ['a', 'b', 'c']),
      await fork(accountId, ['a', 'c']),
    ];
    const [one, two] = [first.sessionId, second.sessionId];
    expect(await look(first)).toEqual([
      [null, 7, 1],
      [null, 7, 1],
    ]);
    expect(await look(second)).toEqual([
      [one, null, 0],
      [one, null, 0],
      [null, 7, 1],
    ]);
    expect(await look(third)).toEqual([
      [one, null, 0],
      [two, null, 0],
    ]);
    await remove(first);
    expect(await look(second)).toEqual([
      [null, 7, 1],
      [null, 7, 1],
      [null, 7, 1],
    ]);
    expect(await look(third)).toEqual([
      [two, null, 0],
      [two, null, 0],
    ]);
    await remove(second);
    expect(await look(third)).toEqual([
      [null, 7, 1],
      [null, 7, 1],
    ]);
  });

  it('is assigned without chunks if nothing is indexed', async () => {
    const accountId = newId();
    const unindexed = { ...WRITE_OPTIONS, indexEnabled: false };
    const [first, second] = [await fork(accountId, ['a'], unindexed), await fork(accountId, ['a'], unindexed)];
    await remove(first);
    expect(await look(second)).toEqual([[null, 7, 0]]);
  });

  it('is only assigned to a fork within its account', async () => {
    await fork(newId(), ['a']);
    expect(await look(await fork(newId(), ['a']))).toEqual([[null, 7, 1]]);
  });
});
