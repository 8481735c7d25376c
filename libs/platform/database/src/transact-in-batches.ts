import { transact, type AnyDatabase, type AnyTransaction } from './transact.ts';

/**
 * Processes rows in separate transactions, until a transaction processes less than a full batch or the signal is
 * aborted. Any number of processes may do this at the same time if `work` only takes rows that are not locked by
 * others.
 *
 * @param work - processes at most `size` rows and returns their number
 * @returns the total number of rows
 */
export async function transactInBatches(
  db: AnyDatabase,
  { size, signal }: { readonly size: number; readonly signal?: AbortSignal | undefined },
  work: (trx: AnyTransaction) => Promise<number>,
): Promise<number> {
  let total = 0;
  while (signal?.aborted !== true) {
    const rows = await transact({ db }, work);
    total += rows;
    if (rows < size) break;
  }
  return total;
}
