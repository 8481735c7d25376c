import type { Transaction } from 'kysely';
import type { HintSink } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { upsertRuntimeSession } from '@steward/slice-gateway';
import type { FlowWriteOptions } from '../flow-options.ts';
import { validateWorkspaceFiles, type WorkspaceFilesOutcome } from '../rules/workspace-files.ts';
import type { ExecutionRow, FlowsDatabase } from '../schema.ts';
import * as executions from '../store/execution.store.ts';
import * as leases from '../store/lease.store.ts';
import { finishLocked } from './finish-execution.ts';

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly execution: ExecutionRow }
  /** Another worker has it, or it was stopped. */
  | { readonly kind: 'not_waiting' }
  /** Its account runs as many as it may; it goes on waiting. */
  | { readonly kind: 'account_busy' };

/** Takes a waiting execution for one worker and opens its runtime session, in one transaction. */
export async function claimExecution(
  anyTrx: AnyTransaction,
  hints: HintSink,
  lease: leases.LeaseRequest & { readonly accountLimit: number; readonly now: Date },
  options: FlowWriteOptions,
): Promise<ClaimOutcome> {
  const trx = anyTrx as Transaction<FlowsDatabase>;
  const accountId = await leases.findWaitingAccount(trx, lease.executionId);
  if (accountId === undefined) return { kind: 'not_waiting' };
  if ((await leases.countRunning(trx, accountId)) >= lease.accountLimit) return { kind: 'account_busy' };
  const claimed = await leases.claimExecution(trx, lease);
  if (claimed === undefined) return { kind: 'not_waiting' };
  const { session } = await upsertRuntimeSession(
    anyTrx,
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
      now: lease.now,
    },
    options,
  );
  const execution = await executions.updateExecution(trx, claimed.id, { runtime_session_id: session.id });
  return { kind: 'claimed', execution };
}

/** `held` extends the lease; `stop` asks the worker to end the run; `lost` forbids it to write anything more. */
export function extendLease(
  db: AnyDatabase,
  lease: { readonly executionId: string; readonly token: string; readonly leaseSeconds: number },
): Promise<'held' | 'stop' | 'lost'> {
  return leases.extendLease(db, lease);
}

/** Marks the run as RUNNING with the prompt it was given. False when the lease is lost. */
export async function markRunning(
  db: AnyDatabase,
  run: { readonly executionId: string; readonly token: string; readonly prompt: string },
): Promise<boolean> {
  const updated = await (db as unknown as Transaction<FlowsDatabase>)
    .updateTable('flows.execution')
    .set({ status: 'RUNNING', resolved_input_prompt: run.prompt })
    .where('id', '=', run.executionId)
    .where('lease_token', '=', run.token)
    .where('status', '=', 'INITIALIZING')
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/**
 * The files of an execution, checked again whoever put the row there (rule 10): the stored files, or a declaration that
 * came in the payload past the two trigger routes.
 */
export async function loadWorkspaceFiles(db: AnyDatabase, execution: ExecutionRow): Promise<WorkspaceFilesOutcome> {
  const stored = await executions.listWorkspaceFiles(db, execution.id);
  const declaration =
    stored.length > 0
      ? stored.map((file) => ({ path: file.path, content_base64: file.content.toString('base64') }))
      : execution.trigger_event_details.payload.workspace_files;
  return validateWorkspaceFiles(declaration);
}

/** Waiting executions whose message seems lost, oldest first; none of an account that runs as many as it may. */
export function listStalePending(
  db: AnyDatabase,
  look: { readonly olderThanSeconds: number; readonly accountLimit: number; readonly limit: number },
): Promise<string[]> {
  return leases.listStalePending(db, look);
}

/** The execution an account's freed place goes to. */
export function findNextWaiting(db: AnyDatabase, accountId: string): Promise<string | undefined> {
  return leases.findNextWaiting(db, accountId);
}

/**
 * Ends one execution whose worker is gone: FAILED with `runner_error`, because an agent that may have acted is not run
 * twice (decisions.md section 6). Undefined when there is none.
 */
export async function failLostExecution(
  anyTrx: AnyTransaction,
  hints: HintSink,
  now: Date,
  options: FlowWriteOptions,
): Promise<ExecutionRow | undefined> {
  const lost = await leases.lockLostExecution(anyTrx as Transaction<FlowsDatabase>);
  if (lost === undefined) return undefined;
  const stopped = lost.stop_requested_at !== null;
  return finishLocked(
    anyTrx,
    hints,
    lost,
    {
      status: stopped ? 'STOPPED' : 'FAILED',
      failureCategory: stopped ? 'cancelled' : 'runner_error',
      errorMessage: stopped
        ? lost.error_message
        : 'The worker that ran this execution is gone; agents are not run twice.',
      now,
    },
    options,
  );
}
