import { createBatchQueue } from '@steward/async';
import { refuseBusy } from '@steward/database';

/** Processes items of all accounts together. */
export interface JointQueue<Item, Outcome> {
  add(accountId: string, item: Item): Promise<Outcome>;
  drain(): Promise<void>;
}

export interface JointQueueOptions<Item, Outcome> {
  /**
   * Processes the items of several accounts in one statement. Returns the outcomes of each account in the order of its
   * items; leaves out the accounts that could not be processed together with others, for example because their ledger is
   * locked.
   */
  readonly run: (
    accounts: ReadonlyMap<string, readonly Item[]>,
  ) => Promise<ReadonlyMap<string, Promise<readonly Outcome[]>>>;
  /** Processes an item for its account only. */
  readonly runApart: (accountId: string, item: Item) => Promise<Outcome>;
  /** True if the items of a failed statement are processed for each account separately. */
  readonly mayRunApart: (error: unknown) => boolean;
  /** Maximum number of items in a statement, which locks the ledgers of their accounts. */
  readonly maxItems: number;
  readonly maxWaiting: number;
  /** Maximum waiting time until the statement is started, in milliseconds. */
  readonly timeoutMs: number;
}

interface Entry<Item> {
  readonly accountId: string;
  readonly item: Item;
}

export function createJointQueue<Item, Outcome>(options: JointQueueOptions<Item, Outcome>): JointQueue<Item, Outcome> {
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
    const done = await runTogether(Map.groupBy(entries, ({ accountId }) => accountId));
    const places = new Map<string, number>();
    return entries.map(async ({ accountId, item }) => {
      const outcomes = done?.get(accountId);
      if (outcomes === undefined) return options.runApart(accountId, item);
      const place = places.get(accountId) ?? 0;
      places.set(accountId, place + 1);
      return (await outcomes)[place] as Outcome;
    });
  }

  const queue = createBatchQueue<Entry<Item>, Promise<Outcome>>({
    run,
    mayRunSingly: () => false,
    maxItems: options.maxItems,
    maxWaiting: options.maxWaiting,
    timeoutMs: options.timeoutMs,
    refuse: refuseBusy,
  });
  return {
    add: async (accountId, item) => queue.add({ accountId, item }),
    drain: () => queue.drain(),
  };
}
