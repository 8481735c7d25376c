import { createBatchQueue } from '@steward/async';
import { refuseBusy } from '@steward/database';

/** Processes items of all accounts together. */
export interface JointQueue<Item, Outcome> {
  add(accountId: string, item: Item): Promise<Outcome>;
  /** Resolves when all items added so far have been processed, or passed to `runApart`. */
  drain(): Promise<void>;
}

export interface JointQueueOptions<Item, Outcome> {
  /**
   * Processes items of several accounts in one statement. Returns the outcomes by account, in the order of its items.
   * Leaves out the accounts that cannot be processed together with others, for example because their ledger is locked; an
   * outcome is undefined if its item cannot be.
   */
  readonly run: (
    accounts: ReadonlyMap<string, readonly Item[]>,
  ) => Promise<ReadonlyMap<string, readonly (Outcome | undefined)[]>>;
  /** Processes an item for its account only. */
  readonly runApart: (accountId: string, item: Item) => Promise<Outcome>;
  /** True if the items of a failed statement are processed for each account separately. */
  readonly mayRunApart: (error: unknown) => boolean;
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

/**
 * Time after which the next statement is started although one still runs, in milliseconds: its connection may be lost,
 * which is noticed only after minutes.
 */
const OVERLAP_MS = 250;

export function createJointQueue<Item, Outcome>(options: JointQueueOptions<Item, Outcome>): JointQueue<Item, Outcome> {
  /** Number of items that wait or are processed, by account. */
  const waiting = new Map<string, number>();
  const running = new Set<Promise<unknown>>();

  async function runTogether(accounts: ReadonlyMap<string, readonly Entry<Item>[]>) {
    if (accounts.size === 1) return undefined;
    try {
      return await options.run(new Map([...accounts].map(([id, entries]) => [id, entries.map(({ item }) => item)])));
    } catch (error) {
      if (!options.mayRunApart(error)) throw error;
      return undefined;
    }
  }

  async function run(entries: readonly Entry<Item>[]): Promise<Promise<Outcome>[]> {
    const together = runTogether(Map.groupBy(entries, ({ accountId }) => accountId));
    const places = new Map<string, number>();
    const outcomes = entries.map(async ({ accountId, item }) => {
      const place = places.get(accountId) ?? 0;
      places.set(accountId, place + 1);
      const outcome = (await together)?.get(accountId)?.[place];
      return outcome === undefined ? options.runApart(accountId, item) : outcome;
    });
    await waitForEnd(together);
    return outcomes;
  }

  /** Waits for the end of a statement, but not longer than `OVERLAP_MS`. */
  async function waitForEnd(statement: Promise<unknown>): Promise<void> {
    const { promise: overdue, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, OVERLAP_MS);
    const ended = statement.then(
      () => undefined,
      () => undefined,
    );
    running.add(ended);
    void ended.then(() => running.delete(ended));
    await Promise.race([ended, overdue]);
    clearTimeout(timer);
  }

  const queue = createBatchQueue<Entry<Item>, Promise<Outcome>>({
    run,
    mayRunSingly: () => false,
    maxItems: options.maxItems,
    maxWaiting: Infinity,
    timeoutMs: options.timeoutMs,
    refuse: refuseBusy,
  });

  function count(accountId: string, change: 1 | -1): void {
    const items = (waiting.get(accountId) ?? 0) + change;
    if (items === 0) waiting.delete(accountId);
    else waiting.set(accountId, items);
  }

  return {
    async add(accountId, item) {
      if ((waiting.get(accountId) ?? 0) >= options.maxWaiting) throw refuseBusy();
      count(accountId, 1);
      try {
        return await queue.add({ accountId, item });
      } finally {
        count(accountId, -1);
      }
    },
    async drain() {
      await queue.drain();
      await Promise.all(running);
    },
  };
}
