import { setImmediate as nextTurn } from 'node:timers/promises';

export interface BatchQueue<Item, Outcome> {
  /**
   * Adds an item. Resolves with the outcome of this item, or rejects with its error.
   * @throws the error of `refuse` if too many items are waiting, or the item has waited too long
   */
  add(item: Item): Promise<Outcome>;
  /** Resolves when no item is waiting or being processed. */
  drain(): Promise<void>;
}

export interface BatchQueueOptions<Item, Outcome> {
  /**
   * Processes a batch and returns the outcomes of its items in the same order. If it throws, the error applies to every
   * item of the batch, unless `mayRunSingly` allows retries.
   */
  readonly run: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  /**
   * Returns true if the items of a batch that failed with this error are retried one by one, so that only the invalid
   * item fails.
   */
  readonly mayRunSingly: (error: unknown) => boolean;
  readonly maxItems: number;
  /** Maximum number of waiting items, which limits their memory; further items are rejected immediately. */
  readonly maxWaiting: number;
  /**
   * Maximum waiting time in milliseconds; an item that has not been started by then is rejected, so that callers do not
   * accumulate while a server hangs.
   */
  readonly timeoutMs: number;
  /** Creates the error for rejected items. */
  readonly refuse: () => Error;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly addedAtMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a queue with group commit: items added while a batch runs form the next batch. The queue does not delay items
 * to fill a batch: an idle queue starts as soon as the event loop has read the requests that already arrived.
 */
export function createBatchQueue<Item, Outcome>(options: BatchQueueOptions<Item, Outcome>): BatchQueue<Item, Outcome> {
  let waiting: Waiting<Item, Outcome>[] = [];
  let isRunning = false;
  let run: Promise<void> = Promise.resolve();
  let timeout: NodeJS.Timeout | undefined;

  /**
   * Runs batches until no item is waiting. Only one batch runs at a time: a second one has no benefit, because both
   * commits would wait for the same flush.
   */
  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      await nextTurn();
      const batch = waiting.slice(0, options.maxItems);
      waiting = waiting.slice(options.maxItems);
      await runBatch(batch);
    }
    isRunning = false;
  }

  async function runBatch(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await options.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome));
    } catch (error) {
      if (batch.length > 1 && options.mayRunSingly(error)) await runSingly(batch);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function runSingly(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    let outage: { readonly error: unknown } | undefined;
    for (const { item, resolve, reject } of batch) {
      try {
        if (outage !== undefined) throw outage.error;
        const [outcome] = await options.run([item]);
        resolve(outcome as Outcome);
      } catch (error) {
        reject(error);
        // The error applies to the remaining items, too: each would wait for the same time and get the same error.
        if (!options.mayRunSingly(error)) outage ??= { error };
      }
    }
  }

  /** Starts the timer for the oldest waiting item, if there is one and no timer is running. */
  function watchTimeout(): void {
    const [oldest] = waiting;
    if (oldest === undefined || timeout !== undefined) return;
    const leftMs = oldest.addedAtMs + options.timeoutMs - performance.now();
    timeout = setTimeout(refuseOverdue, Math.max(0, leftMs)).unref();
  }

  function refuseOverdue(): void {
    timeout = undefined;
    const addedBefore = performance.now() - options.timeoutMs;
    const late = waiting.filter(({ addedAtMs }) => addedAtMs <= addedBefore);
    waiting = waiting.slice(late.length);
    for (const { reject } of late) reject(options.refuse());
    watchTimeout();
  }

  return {
    add(item) {
      if (waiting.length >= options.maxWaiting) return Promise.reject(options.refuse());
      return new Promise((resolve, reject) => {
        waiting.push({ item, addedAtMs: performance.now(), resolve, reject });
        watchTimeout();
        if (!isRunning) run = runAll();
      });
    },
    async drain() {
      while (isRunning) await run;
      clearTimeout(timeout);
      timeout = undefined;
    },
  };
}
