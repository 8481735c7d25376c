import { transact } from '@steward/database';
import { rememberAssumed } from '@steward/budgets';
import type { UsageRow } from '@steward/models';
import { bookCalls } from '../book-calls.ts';
import type { ModelCallsDeps, TracedDeps } from '../create-model-calls.ts';
import { assumeUsage } from '../model-call.ts';
import type { LostLease } from './create-leases.ts';

/**
 * Creates a function for a lease that the database has recorded as spent although its calls continue. The function
 * replaces the usage of the lease with the assumed usage of each call.
 */
export function createRecovery(deps: ModelCallsDeps, trace: () => TracedDeps) {
  const { clock, options } = deps;
  return async ({ accountId, id, occurredAt, request, calls }: LostLease): Promise<void> => {
    const now = clock.now();
    const nothing: UsageRow = {
      ...assumeUsage(accountId, { ...request, id, occurredAt, amountUsd: '0' }, now),
      ...{ status: 'ok', inputTokens: 0, outputTokens: 0, usageSource: 'estimated', errorClass: null },
    };
    const assumed = calls.map((one) =>
      assumeUsage(
        accountId,
        { ...one.request, occurredAt: one.occurredAt, amountUsd: one.request.amountUsd ?? '0' },
        now,
      ),
    );
    await transact(trace(), async (trx, hints) => {
      await bookCalls(trx, hints, { accountId, rows: [nothing, ...assumed], now }, options);
      const remembered = assumed.map((row) => ({ ...row, aliveUntil: now }));
      await rememberAssumed(trx, accountId, remembered);
    });
  };
}
