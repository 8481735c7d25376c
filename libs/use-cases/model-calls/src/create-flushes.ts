import { createBatchQueue } from '@steward/async';
import { refuseBusy, type AnyDatabase } from '@steward/database';
import { flushCommits } from './store/commit.store.ts';

/** Waits until commits are on disk, all accounts together: one flush is enough for what was committed before it began. */
export interface Flushes {
  add(): Promise<void>;
}

export function createFlushes(db: AnyDatabase): Flushes {
  const queue = createBatchQueue<undefined, void>({
    async run(waiting) {
      await flushCommits(db);
      return waiting.map(() => undefined);
    },
    // What failed is asked for again by each, after its work was done again.
    mayRunSingly: () => false,
    maxItems: 10_000,
    maxWaiting: Infinity,
    patienceMs: 86_400_000,
    refuse: refuseBusy,
  });
  return { add: () => queue.add(undefined) };
}
