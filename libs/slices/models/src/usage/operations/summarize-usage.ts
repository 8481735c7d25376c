import { transact, type AnyDatabase } from '@steward/database';
import type { UsageSummary } from '../usage-summary.ts';
import { boundStatements, sumUsage, type SummaryRequest } from '../store/usage-summary.store.ts';

/**
 * Sums of one stretch of time, in exact numbers (USE-6). Every row of it is read, so the database ends a statement that takes
 * longer than this: nobody waits for it any more, and others want the connection.
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
