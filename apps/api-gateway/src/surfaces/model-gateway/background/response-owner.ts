import type { Principal } from '@steward/contracts';

/**
 * Returns the owner of a background response: an execution, an agent (regardless of which of its keys is used), or a
 * user.
 */
export function describeOwner({ executionId, runtimePrincipal, userId }: Principal): string {
  if (executionId !== undefined) return `execution:${executionId}`;
  return runtimePrincipal === undefined ? `user:${userId}` : `${runtimePrincipal.type}:${runtimePrincipal.id}`;
}
