import type { AnyTransaction } from '@steward/database';
import { isAccount } from '@steward/identity';
import { findWatermark, tryLockAccount } from '../store/watermark.store.ts';

/**
 * Keeps other sweepers off an account until the end of the transaction. False if another process works on it now, or
 * advanced it since this walk stored its watermark (`keptAt`; undefined before there was one): then that process owns
 * the walk. Also false if the account was deleted.
 */
export async function holdAccount(trx: AnyTransaction, accountId: string, keptAt: Date | undefined): Promise<boolean> {
  if (!(await tryLockAccount(trx, accountId, 'backfill')) || !(await isAccount(trx, accountId))) return false;
  return (await findWatermark(trx, accountId))?.lastPassAt.getTime() === keptAt?.getTime();
}
