import { AsyncLocalStorage } from 'node:async_hooks';
import { createClock, type Clock } from '@sinonjs/fake-timers';

type Faked = 'setTimeout' | 'setInterval' | 'Date.now' | 'performance.now';

/** True in what the test of `withFakeTimers` calls, now or later. */
const inTest = new AsyncLocalStorage<true>();

/**
 * Runs a test in which these functions use a fake clock, which only the test advances. They are real for other code of
 * the process: test files share it with servers of other files, whose background tasks would otherwise end when one of
 * their timers is set on the fake clock.
 */
export async function withFakeTimers<T>(faked: readonly Faked[], run: (clock: Clock) => Promise<T>): Promise<T> {
  const clock = createClock();
  const restore = faked.flatMap((name) => replaceAll(name, clock));
  try {
    return await inTest.run(true, run, clock);
  } finally {
    for (const one of restore) one();
  }
}

function replaceAll(name: Faked, clock: Clock): (() => void)[] {
  switch (name) {
    case 'Date.now':
      return [replace(Date, 'now', () => clock.now)];
    case 'performance.now':
      return [replace(performance, 'now', () => clock.performance.now())];
    default:
      return replaceTimer(clock, name, name === 'setTimeout' ? 'clearTimeout' : 'clearInterval');
  }
}

/** Timers that were set on the real clock are cleared there, by the test as well. */
function replaceTimer(
  clock: Clock,
  set: 'setTimeout' | 'setInterval',
  clear: 'clearTimeout' | 'clearInterval',
): (() => void)[] {
  const fakes = new Set<unknown>();
  const setFake = (...given: Parameters<Clock['setTimeout']>): unknown => {
    const timer: unknown = clock[set](...given);
    fakes.add(timer);
    return timer;
  };
  const clearReal = globalThis[clear];
  const clearEither = (timer: never): void => (fakes.has(timer) ? clock[clear](timer) : clearReal(timer));
  return [replace(globalThis, set, setFake), replace(globalThis, clear, clearEither, clearEither)];
}

/** Replaces a function by one that calls the fake within the test, and `others` elsewhere. */
function replace(
  owner: object,
  name: string,
  fake: (...given: never[]) => unknown,
  others?: (...given: never[]) => unknown,
): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const real = Reflect.get(owner, name) as (...given: never[]) => unknown;
  const choose = (...given: never[]): unknown =>
    inTest.getStore() === true ? fake(...given) : (others ?? real).apply(owner, given);
  // `util.promisify` finds its own form of a timer in a property of the function.
  const value = Object.defineProperties(choose, Object.getOwnPropertyDescriptors(real));
  Object.defineProperty(owner, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: own?.enumerable ?? true,
  });
  return () => {
    if (own === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, own);
  };
}
