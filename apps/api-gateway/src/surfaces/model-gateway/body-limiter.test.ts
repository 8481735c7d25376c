import { createBodyLimiter, type BodyPermit } from './body-limiter.ts';

const KIB = 1024;
const never = new AbortController().signal;

let clients = new AbortController();
// All clients disconnect after a test, because a caller that is still waiting would be refused during another test.
afterEach(() => {
  clients.abort();
  clients = new AbortController();
});

/**
 * Creates a limiter, and lists its admitted bodies in the order of their requests; by default each has its own account.
 */
function useRoom(sizeBytes: number) {
  const room = createBodyLimiter({ sizeBytes, timeoutMs: 60_000 });
  const inside: BodyPermit[] = [];
  const asked: Promise<void>[] = [];
  return {
    inside,
    ask(size: number, { client = clients.signal, accountId = `account ${asked.length}` } = {}): Promise<void> {
      const index = asked.length;
      const body = { accountId, sizeBytes: size };
      const entered = room.enter(body, client).then((place) => void (inside[index] = place));
      asked.push(entered);
      entered.catch(() => undefined);
      return entered;
    },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    list: () => asked.map((_, index) => inside[index] !== undefined),
  };
}

describe('large call bodies (GW-15)', () => {
  it('are admitted in their order when enough memory is free; small ones are admitted immediately', async () => {
    const room = useRoom(300 * KIB);
    for (const size of [200, 150, 100, 10]) void room.ask(size * KIB);
    await room.settle();
    expect(room.list()).toEqual([true, false, false, true]);
    room.inside[0]?.leave();
    room.inside[0]?.leave();
    await room.settle();
    expect(room.list()).toEqual([true, true, true, true]);
  });

  it('that are larger than the limit are admitted only if no other body is being processed', async () => {
    const room = useRoom(100 * KIB);
    void room.ask(500 * KIB);
    void room.ask(100 * KIB);
    await room.settle();
    expect(room.list()).toEqual([true, false]);
  });

  it('use at most half of the limit per account, and waiting bodies are overtaken by those of other accounts', async () => {
    const room = useRoom(400 * KIB);
    const accountId = 'greedy';
    for (let index = 0; index < 3; index += 1) void room.ask(100 * KIB, { accountId });
    void room.ask(100 * KIB);
    await room.settle();
    expect(room.list()).toEqual([true, true, false, true]);
    room.inside[0]?.leave();
    await room.settle();
    expect(room.list()).toEqual([true, true, true, true]);
  });

  it('remain in their order within an account', async () => {
    const room = useRoom(400 * KIB);
    const accountId = 'greedy';
    for (const size of [120, 90, 70]) void room.ask(size * KIB, { accountId });
    await room.settle();
    expect(room.list()).toEqual([true, false, false]);
    room.inside[0]?.leave();
    await room.settle();
    expect(room.list()).toEqual([true, true, true]);
  });

  it('that are smaller than their reservation release the rest once they have been read', async () => {
    const room = useRoom(300 * KIB);
    void room.ask(300 * KIB);
    void room.ask(200 * KIB);
    await room.settle();
    expect(room.list()).toEqual([true, false]);
    room.inside[0]?.settle(80 * KIB);
    await room.settle();
    expect(room.list()).toEqual([true, true]);
    // Exactly the reserved memory is released.
    room.inside[0]?.leave();
    room.inside[1]?.leave();
    void room.ask(300 * KIB);
    void room.ask(100 * KIB);
    await room.settle();
    expect(room.list()).toEqual([true, true, true, false]);
  });

  it('stop waiting after their client has disconnected', async () => {
    const room = useRoom(100 * KIB);
    const leaving = new AbortController();
    void room.ask(100 * KIB);
    const left = room.ask(100 * KIB, { client: leaving.signal });
    void room.ask(90 * KIB);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'unavailable' });
    room.inside[0]?.leave();
    await room.settle();
    expect(room.list()).toEqual([true, false, true]);
  });

  it('that wait too long are refused', async () => {
    const room = createBodyLimiter({ sizeBytes: 100 * KIB, timeoutMs: 1 });
    const body = { accountId: 'a', sizeBytes: 100 * KIB };
    await room.enter(body, never);
    await expect(room.enter(body, never)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
