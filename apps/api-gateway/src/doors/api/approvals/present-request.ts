import type { AnyDatabase } from '@steward/database';
import type { AnswerBody } from '@steward/http';
import { listVotes, type ApprovalRequest, type ApprovalVote } from '@steward/slice-approvals';
import type { RequestAnswer } from './request-schemas.ts';

type RequestBody = AnswerBody<typeof RequestAnswer>;

export async function readAndPresent(db: AnyDatabase, request: ApprovalRequest): Promise<RequestBody> {
  return presentRequest(request, await listVotes(db, [request.id]));
}

/** @param votes of this request, and perhaps of others */
export function presentRequest(
  request: ApprovalRequest,
  votes: ReadonlyMap<string, readonly ApprovalVote[]>,
): RequestBody {
  const own = votes.get(request.id) ?? [];
  return {
    id: request.id,
    status: request.status,
    tool_name: request.toolName,
    server: request.server,
    arguments: request.arguments,
    summary: request.summary,
    reasoning: request.reasoning,
    approval_workflow_id: request.workflowId,
    quorum: request.quorum,
    human_only: request.humanOnly,
    votes: own.map(({ userId, ...vote }) => ({ user_id: userId, ...vote })),
    managed_agent_id: request.managedAgentId,
    managed_agent_name: request.managedAgentName,
    runtime_session_id: request.runtimeSessionId,
    execution_id: request.executionId,
    api_key_id: request.apiKeyId,
    requester_user_id: request.requesterUserId,
    rule: request.rule,
    policy_version: request.policyVersion,
    definition_hash: request.definitionHash,
    requested_at: request.requestedAt,
    expires_at: request.expiresAt,
    escalated_at: request.escalatedAt,
    resolved_at: request.resolvedAt,
    actor: request.actor,
    comment: request.comment,
    webhook_posted_at: request.webhookPostedAt,
    webhook_error: request.webhookError,
    ai: request.ai,
  };
}
