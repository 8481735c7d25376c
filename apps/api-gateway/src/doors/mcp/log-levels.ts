import { LRUCache } from 'lru-cache';
import { SESSION_HEADER } from './cancellations.ts';
import type { McpCaller } from './tool.ts';

/** Least first. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const MOST_KEPT = 10_000;
const KEPT_MS = 24 * 3_600_000;

/** From which level on clients of the revisions before 2026 want log messages; others say so with each request. */
export interface LogLevels {
  set(caller: McpCaller, level: string): void;
  get(caller: McpCaller): string | undefined;
}

/** Of this process: a client whose requests another one answers gets what servers send by themselves. */
export function createLogLevels(): LogLevels {
  const levels = new LRUCache<string, string>({ max: MOST_KEPT, ttl: KEPT_MS });
  return {
    set: (caller, level) => void levels.set(keyOf(caller), level),
    get: (caller) => levels.get(keyOf(caller)),
  };
}

/** Whether a message of a server is of that level or above; one of no level that is known is. */
export function isAtLeast(level: unknown, least: string | undefined): boolean {
  const index = LEVELS.indexOf(String(level));
  return index === -1 || least === undefined || index >= LEVELS.indexOf(least);
}

function keyOf({ principal, headers }: McpCaller): string {
  const { accountId, userId, apiKeyId } = principal;
  return JSON.stringify([accountId, userId, apiKeyId, headers[SESSION_HEADER] ?? null]);
}
