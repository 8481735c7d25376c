import type { EventData } from '@steward/contracts';
import type { Agent } from '../../registry/agent.ts';
import type { Enrollment } from '../enrollment.ts';

/**
 * Returns the outcome of an onboarding: `created` for the first onboarding of an agent, `merged` for the first one
 * after a duplicate was merged into the agent, and `relinked` for every other onboarding.
 */
export function chooseOutcome(facts: {
  readonly hasOnboardedBefore: boolean;
  readonly isMergedSince: boolean;
}): EventData<'agent.onboarded'>['outcome'] {
  if (!facts.hasOnboardedBefore) return 'created';
  return facts.isMergedSince ? 'merged' : 'relinked';
}

/** Returns the data for receivers, which contains neither the path nor the text of the configuration. */
export function describeOnboarding(
  agent: Agent,
  enrollment: Enrollment,
  { outcome, actorUserId }: Pick<EventData<'agent.onboarded'>, 'outcome'> & { readonly actorUserId: string },
): EventData<'agent.onboarded'> {
  return {
    agent_id: agent.id,
    agent_name: agent.displayName,
    agent_kind: agent.agentKind,
    source_type: agent.enrolledVia === 'discovery' || enrollment.candidateId !== null ? 'discovered' : 'custom',
    outcome,
    enrollment_id: enrollment.id,
    owner_user_id: agent.ownerUserId,
    actor_user_id: actorUserId,
    gateway_routed: enrollment.isGatewayRouted,
    mcp_rewritten: enrollment.isMcpRewritten,
    mcp_server_count: enrollment.mcpServerCount,
  };
}
