import type { HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { mailApprovers } from '../../links/operations/mail-approvers.ts';
import { findWorkflowForCall } from '../../workflows/operations/find-workflow-for-call.ts';
import type { ApprovalWorkflow } from '../../workflows/approval-workflow.ts';
import type { ApprovalRequest, CallFacts, RequestKey } from '../approval-request.ts';
import { hashCall, type HashedCall } from '../rules/call-hash.ts';
import { createdEventId } from '../rules/message-ids.ts';
import {
  consumeRequest,
  insertRequest,
  lockCall,
  lockCallRequest,
  lockRequestOfCall,
  requirePendingQuota,
  type CallRequest,
} from '../store/approval-request.store.ts';
import { announceRequest, endRequest, expireRequest, type ApprovalOptions } from './resolve-request.ts';

/** A call that needs an approval according to a policy, as the surface describes it. */
export interface HeldCall extends CallFacts {
  /** Stable name of the caller: the execution, the key or the user. */
  readonly caller: string;
  /** The original arguments, with numbers in their original notation; they are only hashed, not stored. */
  readonly arguments: unknown;
  /** Arguments shown to people, without credentials. */
  readonly maskedArguments: unknown;
  /** Name of the workflow that the rule states; null for the default workflow. */
  readonly workflow: string | null;
}

export type HoldOutcome =
  /** The call may be made, once. */
  | { readonly kind: 'approved'; readonly request: ApprovalRequest }
  | { readonly kind: 'declined'; readonly request: ApprovalRequest }
  /** The request for this call, or for an earlier identical call, is still pending. */
  | { readonly kind: 'pending'; readonly request: ApprovalRequest; readonly workflow: ApprovalWorkflow };

type IdentifiedCall = HashedCall & { readonly accountId: string };

/** Time in seconds within which an approval must be used. */
const APPROVAL_LASTS_SECONDS = 15 * 60;
/** Time in seconds for which, after a decline, an identical call is refused without a new request. */
const DECLINE_LASTS_SECONDS = 60;

/**
 * Holds a call for a decision. An identical later call joins the pending request, uses up the approval (once, within 15
 * minutes), or is refused (for a minute after a decline); otherwise, a new request is created, which is approved at
 * once during a bypass.
 *
 * @throws quota_reached
 */
export async function holdCall(
  trx: AnyTransaction,
  hints: HintSink,
  call: HeldCall,
  options: ApprovalOptions,
): Promise<HoldOutcome> {
  const { callHash, known } = await lockSameCall(trx, call, options);
  if (known?.status === 'pending' && known.isOverdue) await expireRequest(trx, hints, known, options);
  else if (known !== undefined) {
    const standing = await readStanding(trx, known);
    if (standing !== undefined) return standing;
  }
  return raiseRequest(trx, hints, { call, callHash }, options);
}

/** Locks the call and its latest request until the transaction ends, and waits for a transaction that holds the call. */
async function lockSameCall(
  trx: AnyTransaction,
  call: IdentifiedCall,
  { inertArguments }: Pick<ApprovalOptions, 'inertArguments'>,
): Promise<{ readonly callHash: Buffer; readonly known: CallRequest | undefined }> {
  const { accountId } = call;
  const callHash = hashCall(call, inertArguments);
  await lockCall(trx, accountId, callHash);
  return { callHash, known: await lockRequestOfCall(trx, { accountId, callHash }) };
}

async function readStanding(trx: AnyTransaction, known: CallRequest): Promise<HoldOutcome | undefined> {
  if (!isInForce(known)) return undefined;
  if (known.status === 'pending') {
    const workflow = await findWorkflowForCall(trx, { accountId: known.accountId, id: known.workflowId });
    return { kind: 'pending', request: known, workflow };
  }
  if (known.status === 'declined') return { kind: 'declined', request: known };
  await consumeRequest(trx, known);
  return { kind: 'approved', request: known };
}

/**
 * Returns the latest request of the same call if it is pending (even if overdue), or its approval can still be used, or
 * its decline is still in force; otherwise undefined. Waits for a transaction that is holding the call.
 */
export async function findRequestOfCall(
  trx: AnyTransaction,
  call: IdentifiedCall,
  options: Pick<ApprovalOptions, 'inertArguments'>,
): Promise<ApprovalRequest | undefined> {
  const { known } = await lockSameCall(trx, call, options);
  return known !== undefined && isInForce(known) ? known : undefined;
}

/** Returns whether the request still decides about a repeat of its call. */
function isInForce(known: CallRequest): boolean {
  const { status, secondsSince } = known;
  if (status === 'approved') return isApprovalUsable(known);
  return status === 'pending' || (status === 'declined' && (secondsSince ?? 0) < DECLINE_LASTS_SECONDS);
}

/** Returns whether the call may still use the approval. */
export function isApprovalUsable({ isConsumed, secondsSince }: CallRequest): boolean {
  return !isConsumed && (secondsSince ?? 0) < APPROVAL_LASTS_SECONDS;
}

/**
 * Locks an approved request until the transaction ends, so that no other call can use it. Returns undefined if the
 * request is not approved.
 */
export async function lockApproval(trx: AnyTransaction, key: RequestKey): Promise<CallRequest | undefined> {
  const request = await lockCallRequest(trx, key);
  return request?.status === 'approved' ? request : undefined;
}

async function raiseRequest(
  trx: AnyTransaction,
  hints: HintSink,
  { call, callHash }: { readonly call: HeldCall; readonly callHash: Buffer },
  options: ApprovalOptions,
): Promise<HoldOutcome> {
  const { accountId, caller: _caller, maskedArguments, workflow: name, ...fields } = call;
  const workflow = await findWorkflowForCall(trx, { accountId, name });
  await requirePendingQuota(trx, accountId);
  const requestedAt = await readDatabaseTime(trx);
  const after = (seconds: number): Date => new Date(requestedAt.getTime() + seconds * 1000);
  const { escalateAfterSeconds, expiresSeconds, quorum } = workflow;
  const { bypass } = workflow;
  const isForModel = workflow.mode === 'ai_first' && !call.humanOnly && bypass === null;
  const id = newId();
  const request = await insertRequest(trx, {
    ...fields,
    id,
    createdEventId: createdEventId(id),
    accountId,
    workflowId: workflow.id,
    arguments: maskedArguments,
    callHash,
    quorum,
    requestedAt,
    expiresAt: after(expiresSeconds),
    dueAt: after(escalateAfterSeconds ?? expiresSeconds),
    aiDueAt: isForModel ? requestedAt : null,
  });
  await announceRequest(trx, hints, request, options);
  if (bypass === null) {
    // Approvers get an email only if no model is asked first.
    if (!isForModel) await mailApprovers(trx, hints, { request, workflow, isEscalation: false }, options);
    return { kind: 'pending', request, workflow };
  }
  const actor = { kind: 'bypass', id: bypass.userId, reason: bypass.reason } as const;
  const resolution = { status: 'approved', actor, comment: null, at: requestedAt } as const;
  const approved = await endRequest(trx, hints, request, resolution, options);
  await consumeRequest(trx, approved);
  return { kind: 'approved', request: approved };
}
