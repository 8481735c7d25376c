import type { Principal } from '@steward/contracts';

/** Whose a response is that goes on in the background: of a run, of an agent whichever key it has, or of a person. */
export function describeOwner({ executionId, runtimePrincipal, userId }: Principal): string {
  if (executionId !== undefined) return `execution:${executionId}`;
  return runtimePrincipal === undefined ? `user:${userId}` : `${runtimePrincipal.type}:${runtimePrincipal.id}`;
}
