import type { HintSink } from '@steward/contracts';
import { transact, type AnyDatabase, type AnyTransaction, type HintPublisher } from '@steward/database';
import { enterLease, type ClaimedExecution } from '@steward/flows';

/** The execution that a worker has claimed. */
export type HeldExecution = Pick<
  ClaimedExecution,
  'id' | 'account_id' | 'lease_token' | 'runtime_session_id' | 'traceparent'
>;

/**
 * Calls `work`, which writes to the session of a run, in a transaction that sets the lease of the run first: the
 * worker's database role may write to that session only while the worker holds this lease.
 */
export function transactLeased<T>(
  deps: { readonly db: AnyDatabase; readonly broker: HintPublisher },
  execution: HeldExecution,
  work: (trx: AnyTransaction, hints: HintSink) => Promise<T>,
): Promise<T> {
  return transact({ ...deps, traceparent: execution.traceparent }, async (trx, hints) => {
    await enterLease(trx, { executionId: execution.id, token: execution.lease_token ?? '' });
    return work(trx, hints);
  });
}
