import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Work that keeps a process busy, done for many: each has a share of its time, and what is beyond that waits. */
export interface FairShare {
  /**
   * Runs at once while `key` has time left, else when it has some again, in the order of the calls.
   * @throws what `work` throws; what `onFull` gives when too many of the key wait already
   */
  run<T>(key: string, work: () => T | Promise<T>): Promise<T>;
  /** Time that its work took elsewhere: what `work` itself takes is counted by itself. */
  charge(key: string, milliseconds: number): void;
}

export interface FairShareOptions {
  /** Of the time of the process, above 0 and below 1. */
  readonly share: number;
  /** What may be spent at once before anybody waits. */
  readonly burstMs: number;
  /** Of one key. */
  readonly maxWaiting: number;
  readonly onFull: () => Error;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Spender {
  /** Spent and not yet earned again, at `at`. */
  debtMs: number;
  at: number;
  readonly waiting: (() => void)[];
}

/** Whoever is forgotten has spent nothing for a long time, or is one of very many. */
const MAX_SPENDERS = 10_000;

/** A bucket of time for each key, which runs full again at the rate of its share. */
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
