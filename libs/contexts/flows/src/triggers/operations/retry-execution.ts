import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { Clock } from '@steward/async';
import type { SessionWriteOptions } from '@steward/sessions';
import type { ExecutionRow } from '../../schema.ts';
import * as executions from '../../executions/store/execution.store.ts';
import { findFlow } from '../../flows/store/flow.store.ts';
import { buildEventDetails } from '../rules/event-details.ts';
import type { Trigger } from '../trigger.ts';
import { acceptInTurn } from './accept-in-turn.ts';

export type RetryOutcome =
  | { readonly kind: 'accepted'; readonly flowId: string; readonly execution: Pick<ExecutionRow, 'id' | 'status'> }
  | { readonly kind: 'not_found' | 'not_retryable' | 'flow_gone' | 'flow_disabled' };

/**
 * Creates an execution with the payload and files of an execution that FAILED or was STOPPED. The new execution is
 * never treated as a duplicate.
 */
export async function retryExecution(
  trx: AnyTransaction,
  hints: HintSink,
  input: { readonly accountId: string; readonly executionId: string },
  deps: { readonly clock: Clock; readonly options: SessionWriteOptions },
): Promise<RetryOutcome> {
  const former = await executions.findExecution(trx, input.accountId, input.executionId);
  if (former === undefined) return { kind: 'not_found' };
  if (former.status !== 'FAILED' && former.status !== 'STOPPED') return { kind: 'not_retryable' };
  const flow = await findFlow(trx, input.accountId, former.flow_id);
  if (flow === undefined) return { kind: 'flow_gone' };
  if (!flow.is_enabled) return { kind: 'flow_disabled' };
  const { payload, source: told } = former.trigger_event_details;
  const source = typeof told === 'string' ? undefined : told;
  const files = await executions.listWorkspaceFiles(trx, former.id);
  const type = former.trigger_type;
  const trigger: Trigger = {
    flowId: flow.id,
    accountId: flow.account_id,
    type,
    secretHash: null,
    details: buildEventDetails({ triggerType: type, source, receivedAt: deps.clock.now(), payload, files }),
    files,
    dedupePath: null,
    dedupeValue: null,
    retryOfExecutionId: former.id,
    traceparent: hints.traceparent,
    audit: null,
  };
  const outcome = await acceptInTurn(trx, hints, trigger, deps);
  if (outcome.kind !== 'accepted') return { kind: 'flow_gone' };
  return { kind: 'accepted', flowId: flow.id, execution: outcome.execution };
}
