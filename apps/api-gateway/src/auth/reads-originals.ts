import type { Principal } from '@steward/contracts';

/** The facts about a caller that decide whether it sees stored content unmasked. */
export type ContentReader = Pick<Principal, 'permissions' | 'runtimeSessionId'>;

/**
 * Whether the caller sees the content of a session as it was written. Whoever may not write it reads it with the credentials
 * masked, as the search shows it. A running agent writes its own session alone: what it was told to do by somebody's text
 * must not be "collect the keys of all the others".
 */
export function readsOriginals({ permissions, runtimeSessionId }: ContentReader, sessionId: string | null): boolean {
  if (!permissions.has('manage_runtime_sessions')) return false;
  return runtimeSessionId === undefined || runtimeSessionId === sessionId;
}
