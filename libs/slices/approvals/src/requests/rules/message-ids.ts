import { deterministicId } from '@steward/crypto';
import type { ApprovalStatus } from '../approval-request.ts';

/** One for each request: it is never told twice. */
export const createdEventId = (requestId: string): string => deterministicId('approval.created', requestId);

/** Made of the request alone: two outcomes can never both go out. */
export const decidedEventId = (requestId: string): string => deterministicId('approval.decided', requestId);

/** What chat rooms read when a request comes to a status. */
export const chatMessageId = (requestId: string, status: ApprovalStatus): string =>
  deterministicId('approval.message', requestId, status);

export const mailId = (requestId: string, userId: string): string =>
  deterministicId('approval.mail', requestId, userId);

/** One a day for each workflow and person. */
export const stuckMailId = (of: {
  readonly workflowId: string;
  readonly userId: string;
  readonly day: string;
}): string => deterministicId('approval.stuck', of.workflowId, of.userId, of.day);
