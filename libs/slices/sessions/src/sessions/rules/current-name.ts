/** Of sessions whose content came through the model gateway. */
export const GATEWAY_SOURCE_TYPE = 'gateway';

/** `key:` or `user:`, whose it is, and an id of the session's own. */
const CURRENT = /^(?:key|user):[0-9a-f-]{36}:/i;

/**
 * Whether only the gateway opens a session of this name (SESS-26): what a caller says without naming a session goes into the open
 * one of its own, and whoever could open that for it would choose where.
 */
export function isNameOfCurrent(sourceType: string, sourceId: string): boolean {
  return sourceType === GATEWAY_SOURCE_TYPE && CURRENT.test(sourceId);
}
