import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { newId } from '@steward/crypto';
import type { SessionWriteOptions } from '@steward/sessions';
import type { ExecutionRow } from '../../schema.ts';
import * as leases from '../store/lease.store.ts';
import { finishLocked } from './finish-execution.ts';

/**
 * Ends one execution whose worker no longer exists. The status of the execution becomes FAILED with `runner_error`, or
 * STOPPED if a stop was requested: an execution whose agent may already have acted is not run again (EXEC-6). Returns
 * undefined if there is no such execution.
 */
export async function failLostExecution(
  trx: AnyTransaction,
  hints: HintSink,
  now: Date,
  options: SessionWriteOptions,
): Promise<ExecutionRow | undefined> {
  const lost = await leases.leaseLostExecution(trx, newId());
  if (lost === undefined) return undefined;
  const stopped = lost.stop_requested_at !== null;
  return finishLocked(
    trx,
    hints,
    lost,
    {
      status: stopped ? 'STOPPED' : 'FAILED',
      failureCategory: stopped ? 'cancelled' : 'runner_error',
      errorMessage: stopped
        ? lost.error_message
        : 'The worker that ran this execution is no longer running; executions are not repeated.',
      now,
    },
    options,
  );
}
