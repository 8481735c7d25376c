import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { SessionWriteOptions } from '@steward/sessions';
import { isTerminal } from '../rules/execution-status.ts';
import type { ExecutionRow } from '../../schema.ts';
import * as executions from '../store/execution.store.ts';
import { finishLocked } from './finish-execution.ts';

/**
 * Ends a locked, active execution: a waiting one is STOPPED immediately; a running one is marked, and its worker ends
 * the agent at the next heartbeat. The dedupe value of the execution becomes available to the trigger that replaces the
 * execution.
 */
export async function requestStop(
  trx: AnyTransaction,
  hints: HintSink,
  input: { readonly execution: ExecutionRow; readonly reason: string; readonly now: Date },
  options: SessionWriteOptions,
): Promise<ExecutionRow> {
  const { execution, reason, now } = input;
  if (execution.status === 'PENDING') {
    const end = { status: 'STOPPED', failureCategory: 'cancelled', errorMessage: reason, now } as const;
    return finishLocked(trx, hints, execution, end, options);
  }
  return executions.updateExecution(trx, execution.id, {
    stop_requested_at: execution.stop_requested_at ?? now,
    error_message: reason,
    dedupe_value: null,
  });
}

export type StopOutcome =
  { readonly kind: 'stopping' | 'already_finished'; readonly execution: ExecutionRow } | { readonly kind: 'not_found' };

/** Stops an execution at the request of a person or a program. Stopping a finished execution changes nothing. */
export async function stopExecution(
  trx: AnyTransaction,
  hints: HintSink,
  input: { readonly accountId: string; readonly executionId: string; readonly now: Date },
  options: SessionWriteOptions,
): Promise<StopOutcome> {
  const execution = await executions.lockExecution(trx, input.executionId);
  if (execution === undefined || execution.account_id !== input.accountId) return { kind: 'not_found' };
  if (isTerminal(execution.status)) return { kind: 'already_finished', execution };
  const stopped = await requestStop(trx, hints, { execution, reason: 'stopped on request', now: input.now }, options);
  return { kind: 'stopping', execution: stopped };
}

/**
 * Stops up to a given number of an account's waiting or running executions. Returns the number of executions that were
 * found: if this number is less than the given one, no such executions are left.
 */
export async function stopExecutionsOfAccount(
  trx: AnyTransaction,
  hints: HintSink,
  input: { readonly accountId: string; readonly reason: string; readonly limit: number; readonly now: Date },
  options: SessionWriteOptions,
): Promise<number> {
  const active = await executions.lockActiveOfAccount(trx, input);
  for (const execution of active) await requestStop(trx, hints, { ...input, execution }, options);
  return active.length;
}
