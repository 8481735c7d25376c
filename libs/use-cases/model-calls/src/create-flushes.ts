import { createBatchQueue } from '@steward/async';
import { refuseBusy, type AnyDatabase } from '@steward/database';
import { flushCommits } from './store/commit.store.ts';

/**
 * Waits until commits are on disk, for all accounts together: one flush covers everything committed before it began.
 */
export interface Flushes {
  add(): Promise<void>;
}

export function createFlushes(db: AnyDatabase): Flushes {
  const queue = createBatchQueue<undefined, void>({
    async run(waiting) {
      await flushCommits(db);
      return waiting.map(() => undefined);
    },
    // After a failed flush each caller repeats its work and requests another flush.
    mayRunSingly: () => false,
    maxItems: 10_000,
    maxWaiting: Infinity,
    timeoutMs: 86_400_000,
    refuse: refuseBusy,
  });
  return { add: () => queue.add(undefined) };
}
