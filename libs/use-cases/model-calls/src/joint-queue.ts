import { setTimeout as delay } from 'node:timers/promises';
import { createBatchQueue } from '@steward/async';
import { refuseBusy } from '@steward/database';

/** Processes items of all accounts together. */
export interface JointQueue<Item, Outcome> {
  add(accountId: string, item: Item): Promise<Outcome>;
  /** Resolves when all items added so far have been processed. */
  drain(): Promise<void>;
}

export interface JointQueueOptions<Item, Outcome> {
  /**
   * Processes items in one statement. Returns the outcomes by account, in the order of the account's items. Leaves out
   * the accounts that cannot be processed together with others, for example because their ledger is locked; an outcome
   * is undefined if only its item cannot be processed together with others.
   */
  readonly run: (
    accounts: ReadonlyMap<string, readonly Item[]>,
  ) => Promise<ReadonlyMap<string, readonly (Outcome | undefined)[]>>;
  /** Processes an item for its account only; it may wait for the lock of the ledger. */
  readonly runApart: (accountId: string, item: Item) => Promise<Outcome>;
  /** True if the items of a failed statement are processed for each account separately. */
  readonly mayRunApart: (error: unknown) => boolean;
  /** Number of statements that may leave out an item before it is processed for its account only. */
  readonly attempts: number;
  /** Maximum number of items in a statement, which locks the ledgers of their accounts. */
  readonly maxItems: number;
  /** Maximum number of waiting items of an account; further items are rejected immediately. */
  readonly maxWaiting: number;
  /** Maximum waiting time until the statement is started, in milliseconds. */
  readonly timeoutMs: number;
}

interface Entry<Item> {
  readonly accountId: string;
  readonly item: Item;
}

interface Attempt<Outcome> {
  /** True if a later statement may return an outcome for the item. */
  readonly isLeftOut: boolean;
  readonly outcome: Outcome | undefined;
}

/** Time after which an item that was left out is tried again, in milliseconds. */
const RETRY_MS = 50;
/**
 * Time in milliseconds after which the next statement is started even if the previous one is still running: the
 * connection of the previous one may be lost, which is noticed only after minutes.
 */
const OVERLAP_MS = 2000;
/** Maximum number of statements that run at the same time. */
const MAX_RUNNING = 2;

export function createJointQueue<Item, Outcome>(options: JointQueueOptions<Item, Outcome>): JointQueue<Item, Outcome> {
  const running = new Set<Promise<unknown>>();
  /** Promises of the items that are waiting or being processed, by account. */
  const adding = new Map<string, Set<Promise<Outcome>>>();

  async function runTogether(accounts: ReadonlyMap<string, readonly Entry<Item>[]>) {
    try {
      return await options.run(new Map([...accounts].map(([id, entries]) => [id, entries.map(({ item }) => item)])));
    } catch (error) {
      if (!options.mayRunApart(error)) throw error;
      return 'failed';
    }
  }

  async function run(entries: readonly Entry<Item>[]): Promise<Promise<Attempt<Outcome>>[]> {
    const together = runTogether(Map.groupBy(entries, ({ accountId }) => accountId));
    const places = new Map<string, number>();
    const outcomes = entries.map(async ({ accountId }): Promise<Attempt<Outcome>> => {
      const place = places.get(accountId) ?? 0;
      places.set(accountId, place + 1);
      const done = await together;
      if (done === 'failed') return { isLeftOut: false, outcome: undefined };
      const own = done.get(accountId);
      return { isLeftOut: own === undefined, outcome: own?.[place] };
    });
    await waitForEnd(together);
    return outcomes;
  }

  /** Waits until the next statement may be started. */
  async function waitForEnd(statement: Promise<unknown>): Promise<void> {
    const { promise: overdue, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, OVERLAP_MS);
    const ended: Promise<unknown> = statement.then(
      () => running.delete(ended),
      () => running.delete(ended),
    );
    running.add(ended);
    await Promise.race(running.size < MAX_RUNNING ? [ended, overdue] : running);
    clearTimeout(timer);
  }

  const queue = createBatchQueue<Entry<Item>, Promise<Attempt<Outcome>>>({
    run,
    mayRunSingly: () => false,
    maxItems: options.maxItems,
    maxWaiting: Infinity,
    timeoutMs: options.timeoutMs,
    refuse: refuseBusy,
  });

  async function runItem(accountId: string, item: Item): Promise<Outcome> {
    for (let left = options.attempts; left > 0; left -= 1) {
      const { isLeftOut, outcome } = await queue.add({ accountId, item });
      if (outcome !== undefined) return outcome;
      if (!isLeftOut) break;
      if (left > 1) await delay(RETRY_MS);
    }
    return options.runApart(accountId, item);
  }

  return {
    async add(accountId, item) {
      const ofAccount = adding.get(accountId) ?? new Set();
      if (ofAccount.size >= options.maxWaiting) throw refuseBusy();
      adding.set(accountId, ofAccount);
      const processing = runItem(accountId, item);
      ofAccount.add(processing);
      try {
        return await processing;
      } finally {
        ofAccount.delete(processing);
        if (ofAccount.size === 0) adding.delete(accountId);
      }
    },
    async drain() {
      await Promise.allSettled([...adding.values()].flatMap((ofAccount) => [...ofAccount]));
    },
  };
}
