import { AsyncLocalStorage } from 'node:async_hooks';
import { createClock, type Clock } from '@sinonjs/fake-timers';

type Faked = 'setTimeout' | 'setInterval' | 'Date.now' | 'performance.now';
type Any = (...given: never[]) => unknown;

/** The clock of the test that called the current code, directly or not. */
const clockOfTest = new AsyncLocalStorage<Clock>();

/**
 * Runs a test in which these functions use a fake clock, which only the test advances. They are real for other code of
 * the process: test files share it with servers of other files, whose background tasks would otherwise end when one of
 * their timers is set on the fake clock. `new Date()`, `promisify(setTimeout)` and the functions of `node:timers` are
 * real in the test, too. A timer's callback runs as code of the test.
 */
export async function withFakeTimers<T>(faked: readonly Faked[], run: (clock: Clock) => Promise<T>): Promise<T> {
  const clock = createClock();
  const restore = faked.flatMap((name) => replaceAll(name, clock));
  try {
    return await clockOfTest.run(clock, run, clock);
  } finally {
    for (const one of restore.reverse()) one();
  }
}

function replaceAll(name: Faked, clock: Clock): (() => void)[] {
  switch (name) {
    case 'Date.now':
      return [replace(Date, 'now', clock, () => clock.now)];
    case 'performance.now':
      return [replace(performance, 'now', clock, () => clock.performance.now())];
    default:
      return replaceTimer(name, clock);
  }
}

/** Both functions that clear timers clear each kind, real or fake, as those of Node do. */
function replaceTimer(set: 'setTimeout' | 'setInterval', clock: Clock): (() => void)[] {
  const fakes = new Set<unknown>();
  const setFake = (...given: Parameters<Clock['setTimeout']>): unknown => {
    const timer: unknown = clock[set](...given);
    fakes.add(timer);
    return timer;
  };
  const replaceClear = (clear: 'clearTimeout' | 'clearInterval'): (() => void) => {
    const clearReal = globalThis[clear];
    const clearEither = (timer: never): void => (fakes.has(timer) ? clock[clear](timer) : clearReal(timer));
    return replace(globalThis, clear, clock, clearEither, clearEither);
  };
  return [replace(globalThis, set, clock, setFake), replaceClear('clearTimeout'), replaceClear('clearInterval')];
}

/** Replaces a function by one that calls the fake within the test of the clock, and `others` elsewhere. */
function replace(owner: object, name: string, clock: Clock, fake: Any, others?: Any): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const real = Reflect.get(owner, name) as Any;
  const choose = (...given: never[]): unknown =>
    clockOfTest.getStore() === clock ? fake(...given) : (others ?? real).apply(owner, given);
  // `util.promisify` finds its own form of a timer in a property of the function.
  const value = Object.defineProperties(choose, Object.getOwnPropertyDescriptors(real));
  Object.defineProperty(owner, name, {
    ...{ value, configurable: true, writable: true },
    enumerable: own?.enumerable ?? true,
  });
  return () => {
    if (own === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, own);
  };
}
