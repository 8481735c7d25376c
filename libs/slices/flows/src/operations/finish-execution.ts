import type { Transaction } from 'kysely';
import type { EvidenceReceipt, HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { deterministicId, toStorableJson } from '@steward/runtime';
import { endRuntimeSession, revokeExecutionTokens } from '@steward/slice-gateway';
import { emitEvent } from '@steward/slice-webhooks';
import type { FlowWriteOptions } from '../flow-options.ts';
import { isTerminal, type FailureCategory, type TerminalStatus } from '../rules/execution-status.ts';
import type { ExecutionRow, FlowsDatabase } from '../schema.ts';
import * as executions from '../store/execution.store.ts';

export interface ExecutionEnd {
  readonly status: TerminalStatus;
  /** Null exactly when the execution succeeded. */
  readonly failureCategory: FailureCategory | null;
  readonly errorMessage: string | null;
  readonly result?: unknown;
  readonly evidenceReceipt?: EvidenceReceipt;
  readonly now: Date;
}

export type FinishOutcome = { readonly kind: 'finished'; readonly execution: ExecutionRow } | { readonly kind: 'lost' };

/**
 * Ends a run: terminal status, end of its session and `flow.execution.finished` in one transaction. `lost` when the
 * token no longer holds the execution: somebody else ended it, and nothing is written.
 */
export async function finishExecution(
  anyTrx: AnyTransaction,
  hints: HintSink,
  run: { readonly executionId: string; readonly token: string },
  end: ExecutionEnd,
  options: FlowWriteOptions,
): Promise<FinishOutcome> {
  const execution = await executions.lockExecution(anyTrx as Transaction<FlowsDatabase>, run.executionId);
  if (execution === undefined || execution.lease_token !== run.token || isTerminal(execution.status))
    return { kind: 'lost' };
  return { kind: 'finished', execution: await finishLocked(anyTrx, hints, execution, end, options) };
}

/** The same for a row the caller holds locked already. */
export async function finishLocked(
  anyTrx: AnyTransaction,
  hints: HintSink,
  execution: ExecutionRow,
  end: ExecutionEnd,
  options: FlowWriteOptions,
): Promise<ExecutionRow> {
  // Who asked for a stop said why; the worker only knows that it was asked.
  const message = end.status === 'STOPPED' ? (execution.error_message ?? end.errorMessage) : end.errorMessage;
  const finished = await executions.updateExecution(anyTrx as Transaction<FlowsDatabase>, execution.id, {
    status: end.status,
    failure_category: end.failureCategory,
    error_message: message === null ? null : toStorableJson(message).slice(0, 4000),
    result: end.result === undefined ? null : JSON.stringify(toStorableJson(end.result)),
    evidence_receipt: end.evidenceReceipt === undefined ? null : JSON.stringify(end.evidenceReceipt),
    lease_token: null,
    lease_until: null,
    finished_at: end.now,
  });
  if (execution.runtime_session_id !== null) {
    await revokeExecutionTokens(anyTrx, execution.id);
    await endRuntimeSession(
      anyTrx,
      hints,
      {
        accountId: execution.account_id,
        sessionId: execution.runtime_session_id,
        reason: 'execution_finished',
        now: end.now,
      },
      options,
    );
  }
  await emitEvent(
    anyTrx,
    hints,
    {
      type: 'flow.execution.finished',
      // One terminal status per execution, ever: its id alone names the fact.
      id: deterministicId('flow.execution.finished', execution.id),
      accountId: execution.account_id,
      occurredAt: end.now,
      data: {
        execution_id: execution.id,
        flow_id: execution.flow_id,
        flow_name: execution.flow_name,
        status: end.status,
        failure_category: end.failureCategory,
        trigger_type: execution.trigger_type,
        started_at: execution.started_at?.toISOString() ?? null,
        finished_at: end.now.toISOString(),
        ...(end.evidenceReceipt === undefined ? {} : { evidence_receipt: end.evidenceReceipt }),
      },
    },
    options,
  );
  return finished;
}
