import type { ApprovalRequest } from '../../api/answers.ts';
import type { States } from '../../ui/status-badge.tsx';

export const STATES: States<ApprovalRequest['status']> = {
  pending: ['info', 'Pending'],
  approved: ['ok', 'Approved'],
  declined: ['bad', 'Declined'],
  expired: ['none', 'Expired'],
  cancelled: ['none', 'Cancelled'],
};

/** Returns the best available name of the agent that made the request. */
export function nameAgent(request: ApprovalRequest): string {
  return request.managed_agent_name ?? request.managed_agent_id ?? 'An unnamed agent';
}

/**
 * Describes the outcome of a request and who or what decided it, as a sentence; undefined while the request is open.
 */
export function describeOutcome({ status, actor, comment }: ApprovalRequest): string | undefined {
  if (status === 'pending') return undefined;
  const words = comment === null ? '' : ` Comment: ${comment}`;
  if (actor === null) return `${STATES[status][1]}.`;
  const who = { user: 'by a person', ai: 'by a model', bypass: 'by a bypass', system: 'by the service' }[actor.kind];
  const reason = actor.reason === undefined ? '' : ` Reason: ${actor.reason}`;
  return `${STATES[status][1]} ${who}.${words}${reason}`;
}
