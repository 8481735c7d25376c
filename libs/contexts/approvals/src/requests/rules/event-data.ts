import type { EventData } from '@steward/contracts';
import type { ApprovalRequest } from '../approval-request.ts';

/** URL prefix to which the id of a request is appended; null if the deployment has no public URL. */
export type ReviewBase = string | null;

export function describeCreated(request: ApprovalRequest, reviewBase: ReviewBase): EventData<'approval.created'> {
  return {
    approval_request_id: request.id,
    status: request.status,
    tool_name: request.toolName,
    summary: request.summary,
    approval_workflow_id: request.workflowId,
    execution_id: request.executionId,
    managed_agent_id: request.managedAgentId,
    managed_agent_name: request.managedAgentName,
    runtime_session_id: request.runtimeSessionId,
    requested_at: request.requestedAt.toISOString(),
    expires_at: request.expiresAt.toISOString(),
    review_url: reviewBase === null ? null : `${reviewBase}${request.id}`,
    rule: request.rule,
  };
}

/** Returns the data of the event about a decision. @param request must be resolved */
export function describeDecided(request: ApprovalRequest, reviewBase: ReviewBase): EventData<'approval.decided'> {
  const { status, resolvedAt, actor } = request;
  if (status === 'pending' || resolvedAt === null || actor === null) throw new Error('the request is not resolved');
  return {
    ...describeCreated(request, reviewBase),
    decision: status,
    resolved_at: resolvedAt.toISOString(),
    actor,
    comment: request.comment,
  };
}
