import { transact, type AnyDatabase } from '@steward/database';
import { listAccountIds } from '@steward/identity';
import { deleteCorpus } from '@steward/search';
import { deleteWatermark, listWalkedAccountIds, tryLockAccount } from '../store/watermark.store.ts';

const ROWS_PER_STATEMENT = 1000;

/**
 * Removes chunks that a walk committed after its account was deleted. The watermark of a deleted account shows that
 * such chunks may exist, and is deleted last. An account whose chunks cannot be removed keeps its watermark, and does
 * not delay the others.
 */
export async function deleteLeftovers(
  db: AnyDatabase,
  {
    signal,
    onFailed,
  }: { readonly signal: AbortSignal; readonly onFailed: (accountId: string, error: unknown) => void },
): Promise<void> {
  // The order of these reads ensures that an account created in the meantime is not processed.
  const walked = await listWalkedAccountIds(db);
  const present = new Set(await listAccountIds(db));
  for (const accountId of walked.filter((id) => !present.has(id))) {
    try {
      await clearAccount(db, accountId, signal);
    } catch (error) {
      onFailed(accountId, error);
    }
  }
}

async function clearAccount(db: AnyDatabase, accountId: string, signal: AbortSignal): Promise<void> {
  // Another sweeper that holds the lock may still commit a batch. It begins no further batch, because the account is
  // deleted.
  const isIdle = await transact({ db }, (trx) => tryLockAccount(trx, accountId, 'backfill'));
  if (!isIdle) return;
  await deleteCorpus(db, { accountId, batchSize: ROWS_PER_STATEMENT, signal });
  if (!signal.aborted) await deleteWatermark(db, accountId);
}
