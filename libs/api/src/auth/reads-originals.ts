import type { Principal } from '@steward/contracts';

/** Facts about a caller that determine whether it sees stored content unmasked. */
export type ContentReader = Pick<Principal, 'permissions' | 'runtimeSessionId'>;

/**
 * Returns whether the caller sees the original content of a session. A caller that may not write content reads it with
 * credentials masked, as in search results. A running agent can see only its own session unmasked, so that a prompt
 * injection cannot make the agent collect credentials from other sessions.
 */
export function readsOriginals({ permissions, runtimeSessionId }: ContentReader, sessionId: string | null): boolean {
  if (!permissions.has('manage_runtime_sessions')) return false;
  return runtimeSessionId === undefined || runtimeSessionId === sessionId;
}
