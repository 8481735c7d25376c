import { LRUCache } from 'lru-cache';
import { SESSION_HEADER } from './cancellations.ts';
import type { McpCaller } from './tool.ts';

/** Log levels, the lowest first. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const MOST_KEPT = 10_000;
const KEPT_MS = 24 * 3_600_000;

/** Log levels of clients of protocol revisions before 2026; later clients send the level with each request. */
export interface LogLevels {
  set(caller: McpCaller, level: string): void;
  get(caller: McpCaller): string | undefined;
}

/**
 * Creates the store of the clients' log levels, which only this process knows: if another process handles a client's
 * request, the servers' default level applies.
 */
export function createLogLevels(): LogLevels {
  const levels = new LRUCache<string, string>({ max: MOST_KEPT, ttl: KEPT_MS });
  return {
    set: (caller, level) => void levels.set(keyOf(caller), level),
    get: (caller) => levels.get(keyOf(caller)),
  };
}

/**
 * Returns whether a server's message has at least the level `least`. The result is also true if the level of the
 * message is unknown, or if `least` is undefined.
 */
export function isAtLeast(level: unknown, least: string | undefined): boolean {
  const index = LEVELS.indexOf(String(level));
  return index === -1 || least === undefined || index >= LEVELS.indexOf(least);
}

function keyOf({ principal, headers }: McpCaller): string {
  const { accountId, userId, apiKeyId } = principal;
  return JSON.stringify([accountId, userId, apiKeyId, headers[SESSION_HEADER] ?? null]);
}
