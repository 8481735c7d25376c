import { transact, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { UsageFilter } from '../usage-row.ts';
import type { UsageSummary } from '../usage-summary.ts';
import { boundStatements, sumCosts, sumUsage, type SummaryRequest } from '../store/usage-summary.store.ts';

/**
 * Returns exact sums over a period (USE-6). All rows of the period are read, which may take a long time. The database
 * aborts a statement that takes longer than `timeoutMs`, because by then, no client is waiting for the sums, and other
 * requests need the connection.
 */
export function summarizeUsage(
  db: AnyDatabase,
  { timeoutMs, ...request }: SummaryRequest & { readonly timeoutMs: number },
): Promise<UsageSummary> {
  return transact({ db }, async (trx) => {
    await boundStatements(trx, timeoutMs);
    return sumUsage(trx, request);
  });
}

/**
 * Returns the exact total cost of rows, in US dollars as a decimal string. The time limit applies to each statement in
 * the rest of the transaction.
 */
export async function sumCost(trx: AnyTransaction, filter: UsageFilter, timeoutMs: number): Promise<string> {
  await boundStatements(trx, timeoutMs);
  return sumCosts(trx, filter);
}
