import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { createBatchQueue, type BatchQueueOptions } from './batch-queue.ts';
import { withFakeTimers } from './testing/with-fake-timers.ts';

/**
 * Creates a queue that doubles numbers. Batches that contain 13 fail, and batches that contain 14 simulate an outage.
 */
function build(more: Partial<BatchQueueOptions<number, number>> = {}) {
  const batches: number[][] = [];
  let release: () => void = () => undefined;
  let gate: Promise<void> | undefined;
  const queue = createBatchQueue<number, number>({
    maxItems: 4,
    maxWaiting: 100,
    timeoutMs: 60_000,
    refuse: () => Object.assign(new Error('too many'), { code: 'unavailable', retryAfterSeconds: 2 }),
    mayRunSingly: (error) => (error as Error).message === 'poison',
    async run(items) {
      batches.push([...items]);
      await gate;
      if (items.includes(14)) throw new Error('outage');
      if (items.includes(13)) throw new Error('poison');
      return items.map((item) => item * 2);
    },
    ...more,
  });
  return {
    queue,
    batches,
    hold: () => void (gate = new Promise((resolve) => (release = resolve))),
    letGo: () => release(),
  };
}

const settle = async (promises: readonly Promise<number>[]): Promise<(number | string)[]> =>
  (await Promise.allSettled(promises)).map((result) =>
    result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
  );

describe('a batch queue', () => {
  it('processes together the items added during the previous batch, each with its own outcome', async () => {
    const { queue, batches, hold, letGo } = build();
    hold();
    const first = queue.add(1);
    await delay(5);
    const rest = [2, 3, 4, 5, 6].map((item) => queue.add(item));
    letGo();
    expect(await settle([first, ...rest])).toEqual([2, 4, 6, 8, 10, 12]);
    expect(batches).toEqual([[1], [2, 3, 4, 5], [6]]);
  });

  it('starts again for items added by a caller that received its result', async () => {
    const { queue } = build();
    let last = 1;
    for (let round = 0; round < 50; round += 1) last = (await queue.add(last)) % 11;
    expect(last).toBeGreaterThan(0);
  });

  it('fails only the item that causes the error', async () => {
    const { queue, batches } = build();
    expect(await settle([1, 13, 2].map((item) => queue.add(item)))).toEqual([2, 'poison', 4]);
    expect(batches).toEqual([[1, 13, 2], [1], [13], [2]]);
  });

  it('does not retry each item during an outage', async () => {
    const { queue, batches } = build();
    expect(await settle([1, 14, 2].map((item) => queue.add(item)))).toEqual(['outage', 'outage', 'outage']);
    expect(await settle([13, 14, 2].map((item) => queue.add(item)))).toEqual(['outage', 'outage', 'outage']);
    expect(batches).toHaveLength(2);
  });

  it('refuses new items if too many are waiting, and items that waited too long; running ones continue', async () => {
    await withFakeTimers(['setTimeout', 'performance.now'], async (clock) => {
      const { queue, batches, hold, letGo } = build({ maxWaiting: 2, timeoutMs: 20 });
      hold();
      const running = queue.add(1);
      while (batches.length === 0) await nextTurn();
      const late = [2, 3].map((item) => queue.add(item));
      await expect(queue.add(4)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
      clock.tick(20);
      for (const refused of late) await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
      letGo();
      expect(await running).toBe(2);
      expect(await queue.add(5)).toBe(10);
    });
  });

  it('is drained when every added item has its outcome', async () => {
    const { queue, batches, hold, letGo } = build();
    hold();
    const all = settle(Array.from({ length: 9 }, (_, item) => queue.add(item)));
    let isDrained = false;
    const drained = queue.drain().then(() => (isDrained = true));
    await delay(5);
    expect(isDrained).toBe(false);
    letGo();
    await drained;
    expect(batches.flat()).toHaveLength(9);
    expect(await all).toHaveLength(9);
  });
});
