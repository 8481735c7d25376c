import { transact, type AnyDatabase } from '@steward/database';
import { listAccountIds } from '@steward/slice-identity';
import { deleteCorpus } from '@steward/slice-search';
import { deleteWatermark, listWalkedAccountIds, tryLockAccount } from '../store/watermark.store.ts';

const ROWS_PER_STATEMENT = 1000;

/**
 * Takes away what a walk had under way when its account was deleted: its transaction was committed after the rest was gone. The
 * watermark tells of it, and goes last. An account that cannot be cleared keeps it, and holds up none of the others.
 */
export async function deleteLeftovers(
  db: AnyDatabase,
  {
    signal,
    onFailed,
  }: { readonly signal: AbortSignal; readonly onFailed: (accountId: string, error: unknown) => void },
): Promise<void> {
  // In this order: an account that is made meanwhile is not among the walked ones.
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
  // Whoever holds the lock may still commit a batch; none is begun any more, for the account is gone.
  const isIdle = await transact({ db }, (trx) => tryLockAccount(trx, accountId, 'backfill'));
  if (!isIdle) return;
  await deleteCorpus(db, { accountId, batchSize: ROWS_PER_STATEMENT, signal });
  if (!signal.aborted) await deleteWatermark(db, accountId);
}
