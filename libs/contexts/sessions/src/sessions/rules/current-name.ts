/** Source type of sessions with content from the model gateway. */
export const GATEWAY_SOURCE_TYPE = 'gateway';

/**
 * Matches the beginning of the source id of a caller's current session: `key:` or `user:`, the owner's id and a colon,
 * which are followed by an id for the session.
 */
const CURRENT = /^(?:key|user):[0-9a-f-]{36}:/i;

/**
 * Returns whether only the gateway may open a session with this name (SESS-26): calls without a session name are
 * assigned to the caller's open session, and any caller who could open a session with this name could divert those
 * calls to it.
 */
export function isNameOfCurrent(sourceType: string, sourceId: string): boolean {
  return sourceType === GATEWAY_SOURCE_TYPE && CURRENT.test(sourceId);
}
