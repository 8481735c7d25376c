import type { Principal } from '@steward/contracts';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';

/**
 * Returns whether notes to a session may be delivered to this caller. Any caller of the account may name a session, but
 * a note to one agent must not be delivered to others (SESS-32).
 */
export function isSessionOf(session: RuntimeSession, principal: Principal): boolean {
  const { runtimeSessionId, runtimePrincipal, apiKeyId } = principal;
  if (runtimeSessionId !== undefined) return session.id === runtimeSessionId;
  // A verified session was opened with a key that is bound to its agent; only such a key acts for the agent.
  if (runtimePrincipal === undefined && session.principalVerified) return false;
  if (runtimePrincipal !== undefined && session.runtimePrincipalId !== null)
    return session.runtimePrincipalId === runtimePrincipal.id;
  return session.apiKeyId === (apiKeyId ?? null);
}

/**
 * Returns the id of the agent whose notes a caller may receive; undefined for a caller without an agent, and for the
 * execution of a flow, because an execution receives only the notes to itself.
 */
export function readAgentId({ runtimePrincipal, executionId }: Principal): string | undefined {
  return executionId === undefined ? runtimePrincipal?.id : undefined;
}
