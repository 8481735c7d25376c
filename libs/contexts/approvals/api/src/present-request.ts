import type { AnyDatabase } from '@steward/database';
import type { AnswerBody } from '@steward/http';
import { listVotes, readOutlooks, type ApprovalRequest, type ApprovalVote, type Outlook } from '@steward/approvals';
import type { RequestAnswer } from './request-schemas.ts';

type RequestBody = AnswerBody<typeof RequestAnswer>;

export async function readAndPresent(db: AnyDatabase, request: ApprovalRequest): Promise<RequestBody> {
  const [body] = await presentRequests(db, [request]);
  if (body === undefined) throw new Error('a request was not presented');
  return body;
}

export async function presentRequests(db: AnyDatabase, requests: readonly ApprovalRequest[]): Promise<RequestBody[]> {
  const ids = requests.map(({ id }) => id);
  const [votes, outlooks] = await Promise.all([listVotes(db, ids), readOutlooks(db, requests)]);
  return requests.map((request) => presentRequest(request, votes.get(request.id) ?? [], outlooks.get(request.id)));
}

function presentRequest(
  request: ApprovalRequest,
  votes: readonly ApprovalVote[],
  outlook: Outlook | undefined,
): RequestBody {
  return {
    id: request.id,
    status: request.status,
    tool_name: request.toolName,
    server: request.server,
    arguments: request.arguments,
    summary: request.summary,
    reasoning: request.reasoning,
    approval_workflow_id: request.workflowId,
    quorum: outlook?.quorum ?? request.quorum,
    quorum_reachable: outlook?.isReachable ?? null,
    stuck_reason: outlook?.stuckReason ?? null,
    may_decide: [...(outlook?.mayDecide ?? [])],
    human_only: request.humanOnly,
    votes: votes.map(({ userId, ...vote }) => ({ user_id: userId, ...vote })),
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
