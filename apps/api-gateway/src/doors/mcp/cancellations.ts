import { randomUUID } from 'node:crypto';
import type { McpCaller } from './tool.ts';

/**
 * Clients of the revisions before 2026 end a call by a message of its own, another request. What both have in common is the
 * session that the client was named when it began: nothing is kept of it but here, while a call runs.
 */
export interface Cancellations {
  /** Aborted with the call's own signal, or when its client says so in a message. */
  follow(caller: McpCaller, requestId: string | number, signal: AbortSignal): FollowedCall;
  /** Ends what a message cancels, if it is one. */
  readMessage(caller: McpCaller, message: unknown): void;
}

export interface FollowedCall {
  readonly signal: AbortSignal;
  readonly end: () => void;
}

export const SESSION_HEADER = 'mcp-session-id';

/** What a client is named by from its first message on. */
export const nameSession = (): string => randomUUID();

export function createCancellations(): Cancellations {
  const running = new Map<string, AbortController>();
  return {
    follow(caller, requestId, signal) {
      const key = keyOf(caller, requestId);
      if (key === undefined) return { signal, end: () => undefined };
      const cancelled = new AbortController();
      running.set(key, cancelled);
      return { signal: AbortSignal.any([signal, cancelled.signal]), end: () => void running.delete(key) };
    },
    readMessage(caller, message) {
      const requestId = readCancelled(message);
      const key = requestId === undefined ? undefined : keyOf(caller, requestId);
      if (key !== undefined) running.get(key)?.abort(new Error('the client cancelled the call'));
    },
  };
}

/** The caller's credential is part of it: nobody ends the calls of others by guessing their names. */
function keyOf({ principal, headers }: McpCaller, requestId: string | number): string | undefined {
  const session = headers[SESSION_HEADER];
  const { accountId, userId, apiKeyId } = principal;
  return typeof session === 'string' ? JSON.stringify([accountId, userId, apiKeyId, session, requestId]) : undefined;
}

function readCancelled(message: unknown): string | number | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } };
  const requestId = method === 'notifications/cancelled' ? params?.requestId : undefined;
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}
