import type { AnyTransaction } from '@steward/database';
import { isAccount } from '@steward/identity';
import { findWatermark, tryLockAccount } from '../store/watermark.store.ts';

/**
 * Prevents other sweepers from working on an account until the end of the transaction. Returns false if another process
 * is working on the account, or has advanced its walk since this process last read or stored the watermark (`keptAt`;
 * undefined if there was no watermark): in both cases, that process owns the walk. Also returns false if the account
 * was deleted.
 */
export async function holdAccount(trx: AnyTransaction, accountId: string, keptAt: Date | undefined): Promise<boolean> {
  if (!(await tryLockAccount(trx, accountId, 'backfill')) || !(await isAccount(trx, accountId))) return false;
  return (await findWatermark(trx, accountId))?.lastPassAt.getTime() === keptAt?.getTime();
}
