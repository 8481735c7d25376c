import type { AnyTransaction } from '@steward/database';
import { hasActiveExecution } from '../../executions/store/execution.store.ts';
import * as store from '../store/flow.store.ts';

export type DeleteFlowOutcome = { readonly kind: 'deleted' | 'not_found' | 'execution_active' };

/** Deletes a flow, unless one of its executions is active; its past executions remain readable. */
export async function deleteFlow(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly flowId: string },
): Promise<DeleteFlowOutcome> {
  // The lock prevents a trigger from accepting an execution between the check and the deletion.
  const flow = await store.lockFlow(trx, key.accountId, key.flowId);
  if (flow === undefined) return { kind: 'not_found' };
  if (await hasActiveExecution(trx, flow.id)) return { kind: 'execution_active' };
  await store.deleteFlow(trx, flow.id);
  return { kind: 'deleted' };
}
