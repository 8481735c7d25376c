import { deterministicId } from '@steward/crypto';
import type { ApprovalStatus } from '../approval-request.ts';

/**
 * Returns the id of the event about a created request: each request has exactly one such id, so that the event is
 * emitted only once.
 */
export const createdEventId = (requestId: string): string => deterministicId('approval.created', requestId);

/**
 * Returns the id of the event about a decision. It is derived only from the request, so that events for two outcomes
 * can never both be emitted.
 */
export const decidedEventId = (requestId: string): string => deterministicId('approval.decided', requestId);

/** Returns the id of the chat message for a status of a request. */
export const chatMessageId = (requestId: string, status: ApprovalStatus): string =>
  deterministicId('approval.message', requestId, status);

export const mailId = (requestId: string, userId: string): string =>
  deterministicId('approval.mail', requestId, userId);

/** Returns the id of an email about stuck requests: one per day, workflow and user. */
export const stuckMailId = (of: {
  readonly workflowId: string;
  readonly userId: string;
  readonly day: string;
}): string => deterministicId('approval.stuck', of.workflowId, of.userId, of.day);
