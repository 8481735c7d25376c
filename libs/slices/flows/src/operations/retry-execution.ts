import type { Transaction } from 'kysely';
import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { FlowWriteOptions } from '../flow-options.ts';
import type { ExecutionRow, FlowsDatabase } from '../schema.ts';
import * as executions from '../store/execution.store.ts';
import { findFlow } from '../store/flow.store.ts';
import { acceptTrigger } from './accept-trigger.ts';

export type RetryOutcome =
  | { readonly kind: 'accepted'; readonly execution: ExecutionRow }
  | { readonly kind: 'not_found' | 'not_retryable' | 'flow_gone' | 'flow_disabled' };

/** A new execution with the payload and files of one that FAILED or was STOPPED. It is never taken for a duplicate. */
export async function retryExecution(
  anyTrx: AnyTransaction,
  hints: HintSink,
  input: { readonly accountId: string; readonly executionId: string; readonly now: Date },
  options: FlowWriteOptions,
): Promise<RetryOutcome> {
  const trx = anyTrx as Transaction<FlowsDatabase>;
  const former = await executions.findExecution(trx, input.accountId, input.executionId);
  if (former === undefined) return { kind: 'not_found' };
  if (former.status !== 'FAILED' && former.status !== 'STOPPED') return { kind: 'not_retryable' };
  const flow = await findFlow(trx, input.accountId, former.flow_id);
  if (flow === undefined) return { kind: 'flow_gone' };
  if (!flow.is_enabled) return { kind: 'flow_disabled' };
  const accepted = await acceptTrigger(
    anyTrx,
    hints,
    {
      flow: { ...flow, webhook_config: {} },
      triggerType: former.trigger_type,
      payload: former.trigger_event_details.payload,
      files: await executions.listWorkspaceFiles(trx, former.id),
      retryOfExecutionId: former.id,
      now: input.now,
    },
    options,
  );
  return accepted.kind === 'accepted' ? { kind: 'accepted', execution: accepted.execution } : { kind: 'flow_gone' };
}
