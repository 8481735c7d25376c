import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { upsertRuntimeSession, type SessionWriteOptions } from '@steward/sessions';
import type { ExecutionRow } from '../../schema.ts';
import * as leases from '../store/lease.store.ts';

/**
 * An execution that a worker has claimed. An execution accepted by a version without traces uses the trace of its
 * claim.
 */
export type ClaimedExecution = ExecutionRow & { readonly traceparent: string };

/** Thrown if a claimed execution could not be started; the execution keeps waiting. */
export class ClaimError extends Error {
  readonly executionId: string;

  constructor(executionId: string, cause: unknown) {
    super(`execution ${executionId} could not be started`, { cause });
    this.name = 'ClaimError';
    this.executionId = executionId;
  }
}

/**
 * Claims the next waiting execution for a worker and opens its runtime session, in one transaction. Returns undefined
 * if no execution is waiting in an account that has a free slot and whose kill switch is not engaged.
 * @throws ClaimError naming the execution, so that the next claim can skip it
 */
export async function claimExecution(
  trx: AnyTransaction,
  hints: HintSink,
  claim: leases.ClaimRequest & { readonly now: Date },
  options: SessionWriteOptions,
): Promise<ClaimedExecution | undefined> {
  const claimed = await leases.claimExecution(trx, claim);
  if (claimed === undefined) return undefined;
  try {
    const traced = hints.within(claimed.traceparent);
    const execution = await openSession(trx, traced, { claimed, now: claim.now }, options);
    return { ...execution, traceparent: traced.traceparent };
  } catch (error) {
    throw new ClaimError(claimed.id, error);
  }
}

async function openSession(
  trx: AnyTransaction,
  hints: HintSink,
  { claimed, now }: { readonly claimed: ExecutionRow; readonly now: Date },
  options: SessionWriteOptions,
): Promise<ExecutionRow> {
  const { session } = await upsertRuntimeSession(
    trx,
    hints,
    {
      accountId: claimed.account_id,
      sessionSourceType: 'flow_execution',
      sessionSourceId: claimed.id,
      sessionReference: claimed.id,
      runtimePrincipalType: 'flow',
      runtimePrincipalId: claimed.flow_id,
      runtimePrincipalName: claimed.flow_name,
      flowId: claimed.flow_id,
      executionId: claimed.id,
      title: `${claimed.flow_name} (${claimed.trigger_type})`,
      now,
    },
    options,
  );
  const lease = { executionId: claimed.id, token: claimed.lease_token ?? '' };
  const attached = await leases.attachSession(trx, lease);
  if (attached?.runtime_session_id !== session.id) throw new Error('the session of an execution does not belong to it');
  return attached;
}
