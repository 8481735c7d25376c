import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Shares the time of a process between keys: each key has a share, and work beyond its share waits. */
export interface FairShare {
  /**
   * Runs `work` immediately if `key` has time left, otherwise as soon as the key has time again, in the order of the
   * calls.
   * @throws the error of `work`, or that of `onFull` if too many calls of the key are already waiting
   */
  run<T>(key: string, work: () => T | Promise<T>): Promise<T>;
  /**
   * Charges time that `run` does not count: it counts only the time until `work` returns, which for an asynchronous
   * function is the time before its first `await`.
   */
  charge(key: string, milliseconds: number): void;
}

export interface FairShareOptions {
  /** Share of the process time, above 0 and below 1. */
  readonly share: number;
  /** Time in milliseconds that a key may use in a burst before its calls have to wait. */
  readonly burstMs: number;
  /** Maximum number of waiting calls per key. */
  readonly maxWaiting: number;
  readonly onFull: () => Error;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface Spender {
  /** Time in milliseconds that the key had used, and not yet regained, at the time `at`. */
  debtMs: number;
  at: number;
  readonly waiting: (() => void)[];
}

/** Maximum number of keys; if there are more, the key that has been idle the longest is evicted. */
const MAX_SPENDERS = 10_000;

/** Creates a fair share, with a token bucket of time for each key, refilled at the rate of its share. */
export function createFairShare(options: FairShareOptions): FairShare {
  const { share, burstMs, maxWaiting, onFull, now = () => performance.now() } = options;
  const spenders = new LRUCache<string, Spender>({ max: MAX_SPENDERS });

  function earn(spender: Spender): void {
    const at = now();
    spender.debtMs = Math.max(0, spender.debtMs - (at - spender.at) * share);
    spender.at = at;
  }

  function spend<T>(spender: Spender, work: () => T | Promise<T>): T | Promise<T> {
    const begun = now();
    try {
      return work();
    } finally {
      spender.debtMs += now() - begun;
    }
  }

  async function serve(spender: Spender): Promise<void> {
    for (let next = spender.waiting[0]; next !== undefined; next = spender.waiting[0]) {
      earn(spender);
      await delay(Math.max(0, spender.debtMs - burstMs) / share);
      next();
      spender.waiting.shift();
    }
  }

  function find(key: string): Spender {
    let spender = spenders.get(key);
    if (spender === undefined) spenders.set(key, (spender = { debtMs: 0, at: now(), waiting: [] }));
    earn(spender);
    return spender;
  }

  return {
    charge(key, milliseconds) {
      find(key).debtMs += milliseconds;
    },
    async run(key, work) {
      const mine = find(key);
      if (mine.waiting.length === 0 && mine.debtMs <= burstMs) return spend(mine, work);
      if (mine.waiting.length >= maxWaiting) throw onFull();
      return new Promise((resolve, reject) => {
        const run = (): void => {
          try {
            resolve(spend(mine, work));
          } catch (error) {
            reject(error as Error);
          }
        };
        if (mine.waiting.push(run) === 1) void serve(mine);
      });
    },
  };
}
