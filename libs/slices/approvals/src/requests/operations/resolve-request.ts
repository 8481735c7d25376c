import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent, type EmitOptions } from '@steward/slice-webhooks';
import type { MailOptions } from '../../links/mail-options.ts';
import type { ApprovalActor, ApprovalOutcome, ApprovalRequest } from '../approval-request.ts';
import { describeCreated, describeDecided, type ReviewBase } from '../rules/event-data.ts';
import { resolveRequest } from '../store/approval-request.store.ts';

export interface ApprovalOptions extends EmitOptions {
  readonly reviewBase: ReviewBase;
  readonly mail: MailOptions;
}

export interface Resolution {
  readonly status: ApprovalOutcome;
  readonly actor: ApprovalActor;
  readonly comment: string | null;
  readonly at: Date;
}

/** Of a request that nobody in particular decided. */
export const SYSTEM_ACTOR: ApprovalActor = { kind: 'system', id: null };

/**
 * Ends a pending request that this transaction holds, and tells of it. The event's id is made of the request alone: two
 * outcomes can never both go out.
 */
export async function endRequest(
  trx: AnyTransaction,
  hints: HintSink,
  pending: ApprovalRequest,
  resolution: Resolution,
  options: ApprovalOptions,
): Promise<ApprovalRequest> {
  const { accountId, workflowId } = pending;
  const request = await resolveRequest(trx, pending, resolution);
  const type = 'approval.decided';
  const id = deterministicId(type, request.id);
  const data = describeDecided(request, options.reviewBase);
  await emitEvent(trx, hints, { type, id, accountId, occurredAt: resolution.at, data, workflowId }, options);
  return request;
}

/** One for each request: it is never told twice. */
export function createdEventId(requestId: string): string {
  return deterministicId('approval.created', requestId);
}

export async function announceRequest(
  trx: AnyTransaction,
  hints: HintSink,
  request: ApprovalRequest,
  options: ApprovalOptions,
): Promise<void> {
  const { accountId, workflowId, requestedAt: occurredAt } = request;
  const type = 'approval.created';
  const id = createdEventId(request.id);
  const data = describeCreated(request, options.reviewBase);
  await emitEvent(trx, hints, { type, id, accountId, occurredAt, data, workflowId }, options);
}

/** An overdue one ends at its own time, not when somebody noticed. */
export function expireRequest(
  trx: AnyTransaction,
  hints: HintSink,
  overdue: ApprovalRequest,
  options: ApprovalOptions,
): Promise<ApprovalRequest> {
  const resolution = { status: 'expired', actor: SYSTEM_ACTOR, comment: null, at: overdue.expiresAt } as const;
  return endRequest(trx, hints, overdue, resolution, options);
}
