import { createBatchQueue } from '@steward/async';
import { refuseBusy, type AnyDatabase } from '@steward/database';
import type { UsageRow } from '@steward/models';
import { flushCommits } from './store/commit.store.ts';

/**
 * Waits until commits are on disk, for all accounts together: one flush covers everything committed before it began.
 */
export interface Flushes {
  /**
   * @param row - usage row that the commit has written
   * @throws LostCommitError if the server crashed after the commit, and has lost it
   */
  add(row: FlushedRow): Promise<void>;
}

type FlushedRow = Pick<UsageRow, 'accountId' | 'id'>;

/** Has the SQLSTATE of a crash, so that the lost transaction is repeated. */
export class LostCommitError extends Error {
  readonly code = '57P02';

  constructor() {
    super('The database server crashed and has lost the last commits.');
  }
}

export function createFlushes(db: AnyDatabase): Flushes {
  const queue = createBatchQueue<FlushedRow, Promise<void> | undefined>({
    async run(waiting) {
      const stored = await flushCommits(db, waiting);
      return waiting.map(({ id }) => (stored.has(id) ? undefined : Promise.reject(new LostCommitError())));
    },
    // After a failed flush each caller repeats its work and requests another flush.
    mayRunSingly: () => false,
    maxItems: 10_000,
    maxWaiting: Infinity,
    timeoutMs: 86_400_000,
    refuse: refuseBusy,
  });
  return { add: async (row) => queue.add(row) };
}
