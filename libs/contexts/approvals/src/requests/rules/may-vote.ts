import type { ApprovalWorkflow } from '../../workflows/approval-workflow.ts';
import type { ApprovalRequest } from '../approval-request.ts';

/** A user who wants to decide; the permission `decide_approvals` has already been checked. */
export interface Voter {
  readonly userId: string;
  /** Name shown with the vote. */
  readonly display: string;
  readonly role: string;
}

export type VoteRefusal = 'not_an_approver' | 'self_approval';

/**
 * Returns the reason why a user may not vote on a request under the current workflow. If the workflow was deleted,
 * nobody may vote.
 */
export function refuseVoter(
  workflow: ApprovalWorkflow | undefined,
  request: Pick<ApprovalRequest, 'requesterUserId' | 'escalatedAt'>,
  { userId, role }: Voter,
): VoteRefusal | undefined {
  if (workflow === undefined || !isApprover(workflow, request, { userId, role })) return 'not_an_approver';
  return userId === request.requesterUserId && !workflow.allowSelfApproval ? 'self_approval' : undefined;
}

function isApprover(
  { approverUserIds, approverRoles, escalationUserIds }: ApprovalWorkflow,
  { escalatedAt }: Pick<ApprovalRequest, 'escalatedAt'>,
  { userId, role }: Pick<Voter, 'userId' | 'role'>,
): boolean {
  if (approverUserIds.length === 0 && approverRoles.length === 0) return true;
  if (approverUserIds.includes(userId) || approverRoles.includes(role)) return true;
  return escalatedAt !== null && escalationUserIds.includes(userId);
}
