import { AppError } from '@steward/contracts';
import { readInertArguments, type ApprovalOptions, type WorkflowSaveOutcome } from '@steward/approvals';
import { DEFAULT_PUBLIC_URL } from './public-url.ts';
import type { SecretBoxes } from './secret-boxes.ts';

export interface ApprovalOptionsDeps {
  readonly settings: {
    readonly publicUrl: string;
    readonly mailFrom: string | undefined;
    readonly webhookMaxPendingPerAccount: number;
    readonly approvalInertArguments: readonly string[];
  };
  readonly secretBoxes: Pick<SecretBoxes, 'webhook'>;
}

/**
 * Returns the options of approvals. Events and messages link to the page of a request only if the deployment has a
 * public URL.
 */
export function readApprovalOptions({
  settings: { publicUrl, mailFrom, webhookMaxPendingPerAccount, approvalInertArguments },
  secretBoxes,
}: ApprovalOptionsDeps): ApprovalOptions {
  return {
    maxPendingPerAccount: webhookMaxPendingPerAccount,
    reviewBase: publicUrl === DEFAULT_PUBLIC_URL ? null : `${publicUrl}/approvals/`,
    mail: { from: mailFrom, linkBase: `${publicUrl}/approval/`, secretBox: secretBoxes.webhook },
    inertArguments: readInertArguments(approvalInertArguments),
  };
}

/** Returns the error for a workflow that was not saved. */
export function refuseSave(outcome: Exclude<WorkflowSaveOutcome, { readonly kind: 'saved' }>): AppError {
  if (outcome.kind !== 'name_taken') throw new Error('no such outcome');
  const message = 'The account already has a workflow with this name.';
  return new AppError('conflict', { message, detail: { field: 'name' } });
}
