import fc from 'fast-check';
import { createHashQueue } from './hash-queue.ts';

/** Creates a queue with one slot whose jobs end on request. */
function createOccupied(options: { readonly maxWaiting: number; readonly maxWaitingPerSender: number }) {
  const queue = createHashQueue({ maxRunning: 1, ...options });
  const served: string[] = [];
  let release: () => void = () => undefined;
  const first = queue.run('first', () => new Promise<void>((resolve) => (release = resolve)));
  const join = (sender: string) =>
    queue.run(sender, async () => {
      served.push(sender);
    });
  return { join, served, release: () => release(), first };
}

describe('the queue of password checks (LIM-21)', () => {
  it('serves senders in turn: a flood from one sender does not delay another', async () => {
    const { join, served, release } = createOccupied({ maxWaiting: 10, maxWaitingPerSender: 8 });
    const all = ['flood', 'flood', 'flood', 'flood', 'honest'].map((sender) => join(sender));
    release();
    await Promise.all(all);
    expect(served).toEqual(['flood', 'honest', 'flood', 'flood', 'flood']);
  });

  it('refuses a sender whose share is used up, and admits others', async () => {
    const { join, release } = createOccupied({ maxWaiting: 10, maxWaitingPerSender: 2 });
    const taken = [join('flood'), join('flood')];
    await expect(join('flood')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
    const honest = join('honest');
    release();
    await expect(Promise.all([...taken, honest])).resolves.toHaveLength(3);
  });

  it('reports that it is full', async () => {
    const { join, release } = createOccupied({ maxWaiting: 2, maxWaitingPerSender: 2 });
    const taken = [join('a'), join('b')];
    await expect(join('c')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    release();
    await Promise.all(taken);
  });

  it('continues after a job that failed', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxWaiting: 1, maxWaitingPerSender: 1 });
    await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(queue.run('a', () => Promise.resolve(1))).resolves.toBe(1);
  });
});

describe('the queue under any load (LIM-21)', () => {
  const crowd = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
  const options = fc.record({
    maxRunning: fc.integer({ min: 1, max: 3 }),
    maxWaiting: fc.integer({ min: 0, max: 12 }),
    maxWaitingPerSender: fc.integer({ min: 0, max: 6 }),
  });

  it('never exceeds its concurrency, serves every job it admitted, and each sender’s jobs in order', async () => {
    await fc.assert(
      fc.asyncProperty(crowd, options, async (senders, limits) => {
        const queue = createHashQueue(limits);
        let [running, most] = [0, 0];
        const served: [sender: string, index: number][] = [];
        const outcomes = await Promise.allSettled(
          senders.map((sender, index) =>
            queue.run(sender, async () => {
              running += 1;
              most = Math.max(most, running);
              await Promise.resolve();
              served.push([sender, index]);
              running -= 1;
            }),
          ),
        );
        expect(most).toBeLessThanOrEqual(limits.maxRunning);
        expect(served).toHaveLength(outcomes.filter(({ status }) => status === 'fulfilled').length);
        // No job ended before all had arrived, so exactly as many are accepted as the limits allow.
        expect(served.length).toBeLessThanOrEqual(limits.maxRunning + limits.maxWaiting);
        for (const sender of ['a', 'b', 'c', 'd']) {
          const places = served.filter(([of]) => of === sender).map(([, index]) => index);
          expect(places).toEqual([...places].sort((left, right) => left - right));
        }
      }),
    );
  });

  it('delays no sender for more than one round', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (flood) => {
        const queue = createHashQueue({ maxRunning: 1, maxWaiting: 100, maxWaitingPerSender: 50 });
        const served: string[] = [];
        const join = (sender: string) => queue.run(sender, () => Promise.resolve(served.push(sender)));
        await Promise.all([...Array.from({ length: flood }, () => join('flood')), join('honest')]);
        expect(served.indexOf('honest')).toBeLessThanOrEqual(2);
      }),
    );
  });
});
