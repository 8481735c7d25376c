import type { AnswerBody } from '@steward/http';
import { findLatestEnrollments, findWarnings, type Agent, type Enrollment } from '@steward/agents';
import type { AnyDatabase } from '@steward/database';
import type { AgentAnswer, EnrollmentAnswer } from './agent-schemas.ts';

export function presentEnrollment(enrollment: Enrollment): AnswerBody<typeof EnrollmentAnswer> {
  return {
    id: enrollment.id,
    agent_id: enrollment.agentId,
    enrollment_type: enrollment.enrollmentType,
    adapter_key: enrollment.adapterKey,
    target_config_path: enrollment.targetConfigPath,
    status: enrollment.status,
    gateway_routed: enrollment.isGatewayRouted,
    mcp_rewritten: enrollment.isMcpRewritten,
    mcp_server_count: enrollment.mcpServerCount,
    candidate_id: enrollment.candidateId,
    message: enrollment.message,
    onboarded_at: enrollment.onboardedAt,
    created_at: enrollment.createdAt,
    updated_at: enrollment.updatedAt,
  };
}

export function presentAgent(agent: Agent, latest: Enrollment | undefined): AnswerBody<typeof AgentAnswer> {
  return {
    id: agent.id,
    agent_kind: agent.agentKind,
    display_name: agent.displayName,
    session_source_type: agent.source?.type ?? null,
    session_source_id: agent.source?.id ?? null,
    owner_user_id: agent.ownerUserId,
    tags: [...agent.tags],
    enrolled_via: agent.enrolledVia,
    lifecycle_state: agent.lifecycleState,
    lifecycle_reason: agent.lifecycleReason,
    merged_into: agent.mergedInto,
    last_seen_at: agent.lastSeenAt,
    last_model_call_at: agent.lastModelCallAt,
    last_permission_check_at: agent.lastPermissionCheckAt,
    warnings: [...findWarnings(agent)],
    latest_enrollment: latest === undefined ? null : presentEnrollment(latest),
    created_at: agent.createdAt,
    updated_at: agent.updatedAt,
  };
}

/** Presents an agent together with its newest enrollment. */
export async function readAndPresent(db: AnyDatabase, agent: Agent): Promise<AnswerBody<typeof AgentAnswer>> {
  const latest = await findLatestEnrollments(db, { accountId: agent.accountId, agentIds: [agent.id] });
  return presentAgent(agent, latest.get(agent.id));
}
