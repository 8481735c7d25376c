import { transact, type AnyDatabase, type AnyTransaction } from './transact.ts';

/**
 * Does work on rows in transactions that are each done for good, until one found fewer than a batch or the signal is aborted. Any
 * number of processes may do it at once where the work takes rows that nobody else holds.
 *
 * @param work - Answers on how many rows it worked, at most `size`
 * @returns on how many rows together
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
