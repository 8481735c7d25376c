import { createBodyRoom } from './body-room.ts';

const KIB = 1024;
const never = new AbortController().signal;

/** What has come in, by the order of asking. */
function useRoom(sizeBytes: number) {
  const room = createBodyRoom({ sizeBytes, patienceMs: 60_000 });
  const inside: (() => void)[] = [];
  const asked: Promise<void>[] = [];
  return {
    inside,
    ask(size: number, client = never): Promise<void> {
      const index = asked.length;
      const entered = room.enter(size, client).then((leave) => void (inside[index] = leave));
      asked.push(entered);
      return entered;
    },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    list: () => asked.map((_, index) => inside[index] !== undefined),
  };
}

describe('bodies of calls (GW-15)', () => {
  it('come in while there is room, and in their order; small ones at once', async () => {
    const room = useRoom(300 * KIB);
    for (const size of [200, 150, 100, 10]) void room.ask(size * KIB);
    await room.settle();
    expect(room.list()).toEqual([true, false, false, true]);
    room.inside[0]?.();
    room.inside[0]?.();
    await room.settle();
    expect(room.list()).toEqual([true, true, true, true]);
  });

  it('that are larger than the room come in alone', async () => {
    const room = useRoom(100 * KIB);
    void room.ask(500 * KIB);
    void room.ask(100 * KIB);
    await room.settle();
    expect(room.list()).toEqual([true, false]);
  });

  it('of clients that left are waited for no more', async () => {
    const room = useRoom(100 * KIB);
    const leaving = new AbortController();
    void room.ask(100 * KIB);
    const left = room.ask(100 * KIB, leaving.signal);
    void room.ask(90 * KIB);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'unavailable' });
    room.inside[0]?.();
    await room.settle();
    expect(room.list()).toEqual([true, false, true]);
  });

  it('that find no room for long are refused', async () => {
    const room = createBodyRoom({ sizeBytes: 100 * KIB, patienceMs: 1 });
    await room.enter(100 * KIB, never);
    await expect(room.enter(100 * KIB, never)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
