import type { EvidenceReceipt, HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { deterministicId } from '@steward/crypto';
import { toStorableJson } from '@steward/text';
import { revokeExecutionTokens } from '@steward/identity';
import { endRuntimeSession, type SessionWriteOptions } from '@steward/sessions';
import { emitEvent } from '@steward/webhooks';
import type { FailureCategory, TerminalStatus } from '../rules/execution-status.ts';
import type { ExecutionRow } from '../../schema.ts';
import { lockLeased } from '../store/lease.store.ts';
import { storeEnd } from '../store/end.store.ts';
import { reportVulnerabilities } from './report-vulnerabilities.ts';

export interface ExecutionEnd {
  readonly status: TerminalStatus;
  /** Null if and only if the execution succeeded. */
  readonly failureCategory: FailureCategory | null;
  readonly errorMessage: string | null;
  readonly result?: unknown;
  readonly evidenceReceipt?: EvidenceReceipt;
  readonly now: Date;
}

export type FinishOutcome = { readonly kind: 'finished'; readonly execution: ExecutionRow } | { readonly kind: 'lost' };

/**
 * Ends a run: sets its terminal status, ends its session, and emits `flow.execution.finished` and the reports from its
 * result, in one transaction. Returns `lost` if the token no longer holds the execution: another process has ended the
 * execution, and nothing is written.
 */
export async function finishExecution(
  trx: AnyTransaction,
  hints: HintSink,
  run: { readonly executionId: string; readonly token: string },
  end: ExecutionEnd,
  options: SessionWriteOptions,
): Promise<FinishOutcome> {
  const execution = await lockLeased(trx, run);
  if (execution === undefined) return { kind: 'lost' };
  return { kind: 'finished', execution: await finishLocked(trx, hints, execution, end, options) };
}

/**
 * Ends a run like `finishExecution`, for an execution whose row the caller has locked. Everything that needs the lease
 * is written before the execution itself, whose end also ends the lease.
 */
export async function finishLocked(
  trx: AnyTransaction,
  anyHints: HintSink,
  execution: ExecutionRow,
  end: ExecutionEnd,
  options: SessionWriteOptions,
): Promise<ExecutionRow> {
  // Events of an execution belong to its own trace, even if a request in another trace ended it.
  const hints = anyHints.within(execution.traceparent);
  if (execution.runtime_session_id !== null) {
    const { account_id: accountId, runtime_session_id: sessionId } = execution;
    const session = { accountId, sessionId, reason: 'execution_finished', now: end.now } as const;
    await endRuntimeSession(trx, hints, session, options);
  }
  await emitFinished(trx, hints, { execution, end }, options);
  const result = end.result === undefined ? null : toStorableJson(end.result);
  const run = { status: end.status, result, finished_at: end.now };
  await reportVulnerabilities(trx, hints, { execution, end: run }, options);
  // The reason for the stop takes precedence over the worker's message: the worker only learns that a stop was
  // requested.
  const message = end.status === 'STOPPED' ? (execution.error_message ?? end.errorMessage) : end.errorMessage;
  const finished = await storeEnd(trx, execution, {
    status: end.status,
    failure_category: end.failureCategory,
    error_message: message === null ? null : toStorableJson(message).slice(0, 4000),
    result: result === null ? null : JSON.stringify(result),
    evidence_receipt: end.evidenceReceipt === undefined ? null : JSON.stringify(end.evidenceReceipt),
    finished_at: end.now,
  });
  if (execution.runtime_session_id !== null) await revokeExecutionTokens(trx, execution.id);
  return finished;
}

async function emitFinished(
  trx: AnyTransaction,
  hints: HintSink,
  { execution, end }: { readonly execution: ExecutionRow; readonly end: ExecutionEnd },
  options: SessionWriteOptions,
): Promise<void> {
  await emitEvent(
    trx,
    hints,
    {
      type: 'flow.execution.finished',
      // An execution ends only once, so its id is enough to identify the event.
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
}
