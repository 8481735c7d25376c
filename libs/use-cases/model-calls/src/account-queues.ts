import { createBatchQueue, type BatchQueue } from '@steward/async';
import { isTransientDatabaseError, refuseBusy } from '@steward/database';

/** Processes the items of each account in batches, one batch after the other; accounts do not wait for each other. */
export interface AccountQueues<Item, Outcome> {
  add(accountId: string, item: Item): Promise<Outcome>;
}

export interface AccountQueuesOptions<Item, Outcome> {
  readonly run: (accountId: string, items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly maxWaiting: number;
  readonly timeoutMs: number;
}

/** Maximum number of items in a batch: a larger batch would lock the ledger of an account for too long. */
const MAX_ITEMS = 200;

export function createAccountQueues<Item, Outcome>(
  options: AccountQueuesOptions<Item, Outcome>,
): AccountQueues<Item, Outcome> {
  const queues = new Map<string, { readonly queue: BatchQueue<Item, Outcome>; users: number }>();

  function open(accountId: string) {
    const queue = createBatchQueue<Item, Outcome>({
      run: (items) => options.run(accountId, items),
      mayRunSingly: (error) => !isTransientDatabaseError(error),
      maxItems: MAX_ITEMS,
      maxWaiting: options.maxWaiting,
      timeoutMs: options.timeoutMs,
      refuse: refuseBusy,
    });
    const opened = { queue, users: 0 };
    queues.set(accountId, opened);
    return opened;
  }

  return {
    async add(accountId, item) {
      const opened = queues.get(accountId) ?? open(accountId);
      opened.users += 1;
      try {
        return await opened.queue.add(item);
      } finally {
        opened.users -= 1;
        if (opened.users === 0) {
          queues.delete(accountId);
          await opened.queue.drain();
        }
      }
    },
  };
}
