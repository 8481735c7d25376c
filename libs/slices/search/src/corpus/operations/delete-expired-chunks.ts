import type { AnyDatabase } from '@steward/database';
import * as store from '../store/expired-chunks.store.ts';

export interface ExpiryOptions {
  /** Chunks of content that happened earlier go. */
  readonly before: Date;
  /** Rows per transaction: small, so that no writer waits and autovacuum keeps up. */
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

/** Takes old content out of the corpus, account by account, in short transactions. The content itself is not touched. Answers rows deleted. */
export async function deleteExpiredChunks(db: AnyDatabase, options: ExpiryOptions): Promise<number> {
  const { before, batchSize, signal } = options;
  let deleted = 0;
  for (const accountId of await store.listAccountsWithExpired(db, before)) {
    if (signal.aborted) return deleted;
    await store.deleteExpiredSightings(db, { accountId, before });
    for (;;) {
      if (signal.aborted) return deleted;
      const rows = await store.deleteExpiredBatch(db, { accountId, before, limit: batchSize });
      deleted += rows;
      if (rows < batchSize) break;
    }
  }
  return deleted;
}
