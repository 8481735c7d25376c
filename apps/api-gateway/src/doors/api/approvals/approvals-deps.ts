import { AppError } from '@steward/contracts';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import {
  readInertArguments,
  type ApprovalOptions,
  type ApprovalRequest,
  type VoteOutcome,
  type WorkflowSaveOutcome,
} from '@steward/approvals';
import { DEFAULT_PUBLIC_URL, type GatewaySettings } from '../../../config.ts';
import type { OpenRequests } from '../../../limits/open-requests.ts';
import type { SecretBoxes } from '../../../secret-boxes.ts';
import type { EventWebhooksDeps } from '../webhooks/webhooks-deps.ts';
import type { ApprovalWaits } from './approval-waits.ts';

/** Dependencies of the approval routes. */
export interface ApprovalsDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly settings: EventWebhooksDeps['settings'] &
    Pick<GatewaySettings, 'publicUrl' | 'edition' | 'mailFrom' | 'approvalInertArguments'>;
  readonly secretBoxes: Pick<SecretBoxes, 'webhook'>;
}

export type WaitingDeps = ApprovalsDeps & {
  readonly waits: ApprovalWaits;
  readonly openRequests: Pick<OpenRequests, 'waits'>;
};

/** Links lead to the page of a request, if the deployment has a public address. */
export function readApprovalOptions({
  settings: { publicUrl, mailFrom, webhookMaxPendingPerAccount, approvalInertArguments },
  secretBoxes,
}: Pick<ApprovalsDeps, 'settings' | 'secretBoxes'>): ApprovalOptions {
  return {
    maxPendingPerAccount: webhookMaxPendingPerAccount,
    reviewBase: publicUrl === DEFAULT_PUBLIC_URL ? null : `${publicUrl}/approvals/`,
    mail: { from: mailFrom, linkBase: `${publicUrl}/approval/`, secretBox: secretBoxes.webhook },
    inertArguments: readInertArguments(approvalInertArguments),
  };
}

/** Whether this deployment sends mail to approvers. */
export function sendsMail({ settings }: { readonly settings: Pick<GatewaySettings, 'mailFrom'> }): boolean {
  return settings.mailFrom !== undefined;
}

/** The error for a workflow that was not saved. */
export function refuseSave(outcome: Exclude<WorkflowSaveOutcome, { readonly kind: 'saved' }>): AppError {
  if (outcome.kind !== 'name_taken') throw new Error('no such outcome');
  const message = 'The account already has a workflow with this name.';
  return new AppError('conflict', { message, detail: { field: 'name' } });
}

/** The error for a vote that was not counted. */
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
