import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withFakeTimers } from './with-fake-timers.ts';

let test: AbortController;
beforeEach(() => void (test = new AbortController()));
afterEach(() => test.abort());

/** Repeats a task every millisecond until the test ends, as other code of the process. */
function startTask(within: (work: () => void) => void = (work) => work()) {
  const { signal } = test;
  const task = { runs: 0 };
  const repeat = (): void => {
    task.runs += 1;
    if (!signal.aborted) setTimeout(repeat, 1);
  };
  within(repeat);
  return task;
}

async function expectToGoOn(task: { readonly runs: number }): Promise<void> {
  const before = task.runs;
  for (let wait = 0; wait < 1000 && task.runs <= before + 1; wait += 1) await delay(1);
  expect(task.runs).toBeGreaterThan(before + 1);
}

describe('fake timers of a test', () => {
  it('do not stop a task that other code of the process repeats', async () => {
    const task = startTask();
    await withFakeTimers(['setTimeout'], () => expectToGoOn(task));
    await expectToGoOn(task);
  });

  it('do not stop a task that code of an earlier test repeats', async () => {
    const enter = await withFakeTimers(['setTimeout'], () => Promise.resolve(AsyncLocalStorage.snapshot()));
    await withFakeTimers(['setTimeout'], async (clock) => {
      const task = startTask(enter);
      await expectToGoOn(task);
      expect(clock.countTimers()).toBe(0);
    });
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

  it('can be cleared by real code and by both functions, and the test can clear real ones', async () => {
    let isDue = false;
    const real = setTimeout(() => (isDue = true), 5);
    const fake = Promise.withResolvers<NodeJS.Timeout>();
    const cleared = fake.promise.then((timer) => clearTimeout(timer));
    await withFakeTimers(['setTimeout', 'setInterval'], async (clock) => {
      clearTimeout(real);
      clearTimeout(setInterval(() => undefined, 1000));
      clearInterval(setTimeout(() => undefined, 1000));
      expect(clock.countTimers()).toBe(0);
      fake.resolve(setTimeout(() => undefined, 1000));
      await cleared;
      expect(clock.countTimers()).toBe(0);
    });
    await delay(10);
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
