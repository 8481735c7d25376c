import { newId } from '@steward/crypto';
import { message, useSessions } from '../../testing/use-sessions.ts';
import { countSessionsBehind, type SessionsBehind } from './count-sessions.store.ts';

const sessions = useSessions();
const at = (day: number) => new Date(Date.UTC(2026, 0, day));

async function openDays(days: readonly number[]): Promise<{ accountId: string; ids: string[] }> {
  const accountId = newId();
  const ids: string[] = [];
  for (const day of days)
    ids.push((await sessions.openSession({ accountId, startedAt: at(day), now: at(day) })).sessionId);
  return { accountId, ids };
}
const count = async (wanted: Partial<SessionsBehind> & { accountId: string }, most = 100, since?: Date) => {
  const full = { behind: undefined, touchedSince: undefined, ...wanted };
  return (await countSessionsBehind(sessions.db(), [full], { since, most })).get(wanted.accountId);
};

describe('the number of sessions that a backfill still has to index (CORP-8)', () => {
  it('is the number of all sessions before the backfill begins, and then of those after its position', async () => {
    const { accountId, ids } = await openDays([1, 2, 3, 4]);
    expect(await count({ accountId })).toEqual({ sessions: 4, isLeast: false });
    expect(await count({ accountId, behind: { startedAt: at(3), id: ids[2]! } })).toMatchObject({ sessions: 2 });
    expect(await count({ accountId, behind: { startedAt: at(1), id: ids[0]! } })).toMatchObject({ sessions: 0 });
  });

  it('distinguishes sessions with the same start time by their ids', async () => {
    const { accountId, ids } = await openDays([1, 1, 1]);
    const sorted = [...ids].sort();
    for (const [place, id] of sorted.entries())
      expect(await count({ accountId, behind: { startedAt: at(1), id } })).toMatchObject({ sessions: place });
  });

  it('excludes those that began before a given time, which is included', async () => {
    const { accountId } = await openDays([1, 2, 3]);
    expect(await count({ accountId }, 100, at(2))).toMatchObject({ sessions: 2 });
    expect(await count({ accountId }, 100, at(4))).toMatchObject({ sessions: 0 });
  });

  it('excludes unchanged sessions if only changed ones are indexed', async () => {
    const { accountId, ids } = await openDays([1, 2, 3]);
    await sessions.append({ accountId, sessionId: ids[0]! }, [message('new')]);
    expect(await count({ accountId, touchedSince: at(9) })).toEqual({ sessions: 1, isLeast: false });
    expect(await count({ accountId, touchedSince: at(3) })).toMatchObject({ sessions: 2 });
  });

  it('is counted up to a limit, newest first, and reports that there may be more', async () => {
    const { accountId, ids } = await openDays([1, 2, 3]);
    expect(await count({ accountId }, 2)).toEqual({ sessions: 2, isLeast: true });
    expect(await count({ accountId }, 3)).toEqual({ sessions: 3, isLeast: true });
    expect(await count({ accountId }, 4)).toEqual({ sessions: 3, isLeast: false });
    await sessions.append({ accountId, sessionId: ids[0]! }, [message('new')]);
    expect(await count({ accountId, touchedSince: at(9) }, 2)).toEqual({ sessions: 0, isLeast: true });
  });

  it('is computed for many accounts at once, each with its own position; an account without sessions has none', async () => {
    const [first, second] = [await openDays([1, 2]), await openDays([1, 2, 3])];
    const none = newId();
    const wanted = [
      { accountId: first.accountId, behind: { startedAt: at(2), id: first.ids[1]! }, touchedSince: undefined },
      { accountId: second.accountId, behind: undefined, touchedSince: undefined },
      { accountId: none, behind: undefined, touchedSince: undefined },
    ];
    const counts = await countSessionsBehind(sessions.db(), wanted, { since: undefined, most: 100 });
    expect([first.accountId, second.accountId, none].map((id) => counts.get(id)?.sessions)).toEqual([1, 3, 0]);
    expect((await countSessionsBehind(sessions.db(), [], { since: undefined, most: 100 })).size).toBe(0);
  });
});
