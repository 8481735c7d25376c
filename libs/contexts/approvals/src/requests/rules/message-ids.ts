import { deterministicId } from '@steward/crypto';
import type { ApprovalStatus } from '../approval-request.ts';

/** Each request has one id for its event, so that the event is emitted only once. */
export const createdEventId = (requestId: string): string => deterministicId('approval.created', requestId);

/** Derived only from the request, so that events for two outcomes can never both be emitted. */
export const decidedEventId = (requestId: string): string => deterministicId('approval.decided', requestId);

/** Id of the chat message for a status of a request. */
export const chatMessageId = (requestId: string, status: ApprovalStatus): string =>
  deterministicId('approval.message', requestId, status);

export const mailId = (requestId: string, userId: string): string =>
  deterministicId('approval.mail', requestId, userId);

/** Id of a mail about stuck requests: one per day, workflow and user. */
export const stuckMailId = (of: {
  readonly workflowId: string;
  readonly userId: string;
  readonly day: string;
}): string => deterministicId('approval.stuck', of.workflowId, of.userId, of.day);
