import { AppError, type Edition } from '@steward/contracts';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { ApprovalRequest, VoteOutcome, ApprovalWaits } from '@steward/approvals';
import type { OpenRequests, SecretBoxes, WebhookSettings } from '@steward/api';

/** Dependencies of the approval routes. */
export interface ApprovalsDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly settings: WebhookSettings & {
    readonly edition: Edition;
    readonly publicUrl: string;
    readonly mailFrom: string | undefined;
    readonly approvalInertArguments: readonly string[];
  };
  readonly secretBoxes: Pick<SecretBoxes, 'webhook'>;
}

export type WaitingDeps = ApprovalsDeps & {
  readonly waits: ApprovalWaits;
  readonly openRequests: Pick<OpenRequests, 'waits'>;
};

/** Returns whether this deployment sends email to approvers. */
export function sendsMail({ settings }: { readonly settings: { readonly mailFrom: string | undefined } }): boolean {
  return settings.mailFrom !== undefined;
}

/** Returns the error for a vote that was not counted. */
export function refuseVote(outcome: Exclude<VoteOutcome, { readonly kind: 'voted' }>): AppError {
  if (outcome.kind === 'already_resolved') return refuseResolved(outcome.request);
  if (outcome.kind === 'comment_required') {
    const message = 'The workflow requires a comment with every decision.';
    return new AppError('invalid_request', { message, detail: { field: 'comment' } });
  }
  return new AppError(outcome.kind);
}

export function refuseResolved({ status, resolvedAt, actor, comment }: ApprovalRequest): AppError {
  return new AppError('already_resolved', {
    message: `The request is already ${status}.`,
    detail: { status, resolved_at: resolvedAt?.toISOString() ?? null, actor, comment },
  });
}
