import { promisify } from 'node:util';
import { withFakeTimers } from './with-fake-timers.ts';

const block = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

describe('fake timers of a test', () => {
  it('do not stop a task that other code of the process repeats', async () => {
    let runs = 0;
    let timer: NodeJS.Timeout | undefined;
    const repeat = (): void => {
      runs += 1;
      timer = setTimeout(repeat, 1);
    };
    repeat();
    try {
      await withFakeTimers(['setTimeout'], async () => {
        const before = runs;
        // The timer of the task is due, and fires within the test.
        block(5);
        while (runs === before) await new Promise((resolve) => setImmediate(resolve));
      });
      const after = runs;
      while (runs === after) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      clearTimeout(timer);
    }
    expect(runs).toBeGreaterThan(2);
  });

  it('are due when the test advances the clock, also those that are set later', async () => {
    await withFakeTimers(['setTimeout', 'setInterval'], async (clock) => {
      const due: string[] = [];
      setTimeout(() => setTimeout(() => due.push('later'), 1000), 1000);
      const interval = setInterval(() => due.push('again'), 600);
      await clock.tickAsync(2000);
      expect(due).toEqual(['again', 'again', 'again', 'later']);
      clearInterval(interval);
      expect(clock.countTimers()).toBe(0);
    });
  });

  it('clear timers of the real clock, and real code clears fake ones', async () => {
    let isDue = false;
    const real = setTimeout(() => (isDue = true), 5);
    const fake = Promise.withResolvers<NodeJS.Timeout>();
    const cleared = fake.promise.then((timer) => clearTimeout(timer));
    await withFakeTimers(['setTimeout'], async (clock) => {
      clearTimeout(real);
      fake.resolve(setTimeout(() => undefined, 1000));
      await cleared;
      expect(clock.countTimers()).toBe(0);
    });
    await promisify(setTimeout)(10);
    expect(isDue).toBe(false);
  });

  it('leave the functions as they were', async () => {
    const read = () => [setTimeout, clearTimeout, setInterval, clearInterval, Date.now, performance.now] as const;
    const before = read();
    await withFakeTimers(['setTimeout', 'setInterval', 'Date.now', 'performance.now'], async (clock) => {
      expect([Date.now(), performance.now()]).toEqual([0, 0]);
      clock.tick(7);
      expect([Date.now(), performance.now()]).toEqual([7, 7]);
      expect(promisify(setTimeout)).toBe(promisify(before[0]));
    });
    expect(read()).toEqual(before);
    expect(Object.hasOwn(performance, 'now')).toBe(false);
  });
});
