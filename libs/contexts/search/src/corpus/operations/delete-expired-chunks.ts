import type { AnyDatabase } from '@steward/database';
import * as store from '../store/expired-chunks.store.ts';

export interface ExpiryOptions {
  /** Chunks of content that was created before this time are deleted. */
  readonly before: Date;
  /** Number of rows per transaction: few, so that writers need not wait and autovacuum can keep up. */
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

/**
 * Removes old content from the corpus, account by account, in short transactions. The content itself is not changed.
 * Returns the number of deleted chunks.
 */
export async function deleteExpiredChunks(db: AnyDatabase, options: ExpiryOptions): Promise<number> {
  const { before, signal } = options;
  let deleted = 0;
  for (const accountId of await store.listAccountsWithExpired(db, before)) {
    if (signal.aborted) return deleted;
    deleted += await deleteOfAccount(db, accountId, options);
  }
  return deleted;
}

/** Removes the whole corpus of an account, also in short transactions. Returns the number of deleted chunks. */
export function deleteCorpus(
  db: AnyDatabase,
  { accountId, ...options }: Omit<ExpiryOptions, 'before'> & { readonly accountId: string },
): Promise<number> {
  return deleteOfAccount(db, accountId, { ...options, before: LAST_TIME });
}

const LAST_TIME = new Date('9999-12-31T00:00:00Z');

async function deleteOfAccount(
  db: AnyDatabase,
  accountId: string,
  { before, batchSize, signal }: ExpiryOptions,
): Promise<number> {
  await store.deleteExpiredSightings(db, { accountId, before });
  let deleted = 0;
  for (;;) {
    if (signal.aborted) return deleted;
    const rows = await store.deleteExpiredBatch(db, { accountId, before, limit: batchSize });
    deleted += rows;
    if (rows < batchSize) return deleted;
  }
}
