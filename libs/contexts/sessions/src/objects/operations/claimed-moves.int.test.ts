import { StoreError } from '@steward/storage';
import { listSessionTimeline } from '../../content/operations/list-session-timeline.ts';
import { long, useContentStore } from '../../testing/use-content-store.ts';
import { message, useSessions, type Key } from '../../testing/use-sessions.ts';
import type { MoveOutcome } from './move-content.ts';

const sessions = useSessions();
const store = useContentStore(sessions);
const kinds = (outcomes: readonly MoveOutcome[]) => outcomes.map(({ kind }) => kind);
const timeline = async (key: Key) =>
  (await listSessionTimeline(sessions.db(), { ...key, limit: 200 }, store.open())).items;

describe('moving content that was claimed (PROC-25)', () => {
  it('is not held up by a body that the store refuses', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('one')), message(long('two')), message(long('three'))]);
    let calls = 0;
    const limited = store.open({
      putBytes: (request) =>
        (calls += 1) === 1 ? Promise.reject(new StoreError('refused', 'too large')) : store.bucket().putBytes(request),
    });
    expect(kinds(await store.move(limited)).toSorted()).toEqual(['failed', 'moved', 'moved']);
    const refusing = store.open({ putBytes: () => Promise.reject(new StoreError('refused', 'no such key')) });
    await store.endClaims();
    await expect(store.move(refusing)).rejects.toThrow('no such key');
    await store.endClaims();
    expect(kinds(await store.move())).toEqual(['moved']);
  });

  it('keeps a body whose size in its row is too small for readers', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('sized'))]);
    const setSize = (bytes: number) =>
      sessions.query('update gateway.session_content set content_size_bytes = $1 where runtime_session_id = $2', [
        bytes,
        key.sessionId,
      ]);
    await setSize(17_000);
    expect(kinds(await store.move())).toEqual(['failed']);
    expect((await sessions.readTimeline(key))[0]?.content).toBe(long('sized'));
    await setSize(20_002);
    await store.endClaims();
    expect(kinds(await store.move())).toEqual(['moved']);
  });

  it('changes nothing if its claim ended meanwhile, because others may have removed the object', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('suspended'))]);
    let puts = 0;
    const suspended = store.open({
      async putBytes(request) {
        await store.bucket().putBytes(request);
        if ((puts += 1) === 1) await store.endClaims();
      },
    });
    expect(kinds(await store.move(suspended))).toEqual(['changed', 'moved']);
    expect((await timeline(key))[0]?.content).toBe(long('suspended'));
    expect(store.listKeys().filter((name) => name.includes(key.sessionId))).toHaveLength(1);
  });
});
