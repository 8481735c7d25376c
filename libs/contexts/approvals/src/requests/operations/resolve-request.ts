import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { emitEvent, sendChatMessage, type EmitOptions } from '@steward/webhooks';
import type { MailOptions } from '../../links/mail-options.ts';
import type { ApprovalActor, ApprovalOutcome, ApprovalRequest } from '../approval-request.ts';
import { describeCreated, describeDecided, type ReviewBase } from '../rules/event-data.ts';
import { describeOutcome, describeQuestion } from '../rules/chat-text.ts';
import type { InertArguments } from '../rules/inert-arguments.ts';
import { chatMessageId, createdEventId, decidedEventId } from '../rules/message-ids.ts';
import { resolveRequest } from '../store/approval-request.store.ts';

export interface ApprovalOptions extends EmitOptions {
  readonly reviewBase: ReviewBase;
  readonly mail: MailOptions;
  /** Arguments that are ignored when calls are compared. */
  readonly inertArguments: InertArguments;
}

export interface Resolution {
  readonly status: ApprovalOutcome;
  readonly actor: ApprovalActor;
  readonly comment: string | null;
  readonly at: Date;
}

/** Actor recorded for a request that the service ended: the request expired, or its execution ended. */
export const SYSTEM_ACTOR: ApprovalActor = { kind: 'system', id: null };

/** Ends a pending request locked by this transaction, emits its event, and sends the chat message. */
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
  const id = decidedEventId(request.id);
  const data = describeDecided(request, options.reviewBase);
  await emitEvent(trx, hints, { type, id, accountId, occurredAt: resolution.at, data, workflowId }, options);
  await tellChat(trx, hints, { request, now: resolution.at, text: describeOutcome(request) }, options);
  return request;
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
  await tellChat(trx, hints, { request, now: occurredAt, text: describeQuestion(request) }, options);
}

async function tellChat(
  trx: AnyTransaction,
  hints: HintSink,
  told: { readonly request: ApprovalRequest; readonly now: Date; readonly text: string },
  options: ApprovalOptions,
): Promise<void> {
  const { request, now } = told;
  const { id: requestId, accountId, workflowId, status } = request;
  const { reviewBase } = options;
  const text = reviewBase === null ? told.text : `${told.text}\n${reviewBase}${requestId}`;
  const id = chatMessageId(requestId, status);
  await sendChatMessage(trx, hints, { accountId, workflowId, id, now, text }, options);
}

/**
 * Expires an overdue request. The recorded end of the request is its expiry time, not the time at which this function
 * runs.
 */
export function expireRequest(
  trx: AnyTransaction,
  hints: HintSink,
  overdue: ApprovalRequest,
  options: ApprovalOptions,
): Promise<ApprovalRequest> {
  const resolution = { status: 'expired', actor: SYSTEM_ACTOR, comment: null, at: overdue.expiresAt } as const;
  return endRequest(trx, hints, overdue, resolution, options);
}
