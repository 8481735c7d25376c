/**
 * Approvals context: workflows (approvers and quorum), approval requests for held calls, votes, personal links in
 * emails, reviews by models, approved calls that the service makes itself, and what happens when nobody decides.
 *
 * Not here: any HTTP, the reason why a call is held (policies), delivery of events (webhooks), people (identity). Used
 * by, among others: the approvals API; the surfaces and use cases that make tool calls; the policies API, which saves
 * workflows; backfill-sweeper, which clears the requests of deleted sessions.
 */
export { approvalsMigrations } from '../migrations/index.ts';
export {
  CHANNEL_KINDS,
  WORKFLOW_MODES,
  type ApprovalWorkflow,
  type WorkflowFields,
} from './workflows/approval-workflow.ts';
export {
  createWorkflow,
  updateWorkflowFields,
  type WorkflowSaveOutcome,
} from './workflows/operations/save-workflow.ts';
export { sealStoredWorkflows } from './workflows/operations/seal-stored-workflows.ts';
export { mapAddresses, tryOpenReceivers } from './workflows/rules/receivers.ts';
export { removeWorkflow } from './workflows/operations/delete-workflow.ts';
export { rotateWebhookSecret } from './workflows/operations/rotate-secret.ts';
export {
  findWorkflow,
  findWorkflowOfRole,
  findWorkflowsByName,
  listWorkflows,
  lockWorkflows,
  saveBypass,
} from './workflows/store/approval-workflow.store.ts';
export {
  AI_DECISIONS,
  APPROVAL_STATUSES,
  VOTE_DECISIONS,
  type AiDecision,
  type AiVerdict,
  type ApprovalRequest,
  type ApprovalVote,
} from './requests/approval-request.ts';
export { mailStuck } from './links/operations/mail-stuck.ts';
export { decideByLink, readLink } from './links/operations/decide-by-link.ts';
export { escapeHtml } from './links/rules/approval-mail.ts';
export { castVote, type VoteOutcome } from './requests/operations/decide-request.ts';
export { cancelRequest } from './requests/operations/cancel-request.ts';
export { cancelRequestsOfAccount } from './requests/operations/cancel-of-account.ts';
export { cancelRequestsOfExecutions } from './requests/operations/cancel-of-executions.ts';
export { forgetRequestsOfSession } from './requests/operations/forget-requests.ts';
export { findRequestOfCall, holdCall, type HeldCall, type HoldOutcome } from './requests/operations/hold-call.ts';
export { stampDeliveries } from './requests/operations/stamp-deliveries.ts';
export {
  claimReview,
  settleReview,
  type ClaimedReview,
  type ReviewingModel,
} from './requests/operations/review-request.ts';
export { readOutlooks } from './requests/operations/read-outlooks.ts';
export { describeOutlook, type Outlook } from './requests/rules/outlook.ts';
export { settleSufficientRequests } from './requests/operations/settle-sufficient.ts';
export { listAllPending, SUFFICIENT_REQUESTS } from './requests/store/sufficient-request.store.ts';
export { runDueRequests } from './requests/operations/run-due-requests.ts';
export type { ApprovalOptions } from './requests/operations/resolve-request.ts';
export { DUE_REVIEWS } from './requests/store/ai-review.store.ts';
export { DUE_REQUESTS, findRequest } from './requests/store/approval-request.store.ts';
export { readInertArguments, requireInertArgument } from './requests/rules/inert-arguments.ts';
export { approvalsSealedColumns } from './sealed-columns.ts';
export { claimRun, keepCall, readRun, startRun, type ApprovedRun } from './runs/operations/claim-run.ts';
export { describeCallContext, describeResultContext } from './runs/rules/seal-context.ts';
export { extendRuns, finishRun } from './runs/store/approval-run.store.ts';
export { countPendingRequests } from './requests/store/pending-count.store.ts';
export { listRequests } from './requests/store/request-list.store.ts';
export { listWaitingExecutions, WAITING_CALLS } from './requests/store/waiting-execution.store.ts';
export { listVotes } from './requests/store/approval-vote.store.ts';
export { createApprovalWaits, type ApprovalWaits } from './requests/approval-waits.ts';
