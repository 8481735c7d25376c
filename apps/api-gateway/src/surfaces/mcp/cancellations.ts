import { randomUUID } from 'node:crypto';
import type { McpCaller } from './tool.ts';

/**
 * Clients of protocol revisions before 2026 cancel a call with a separate message, in another request. Both requests
 * carry the session id that the client got at initialization. This process stores the id only while a call runs.
 */
export interface Cancellations {
  /** Returns a signal that is aborted when the given signal is aborted, or when the client cancels the call. */
  follow(caller: McpCaller, requestId: string | number, signal: AbortSignal): FollowedCall;
  /** If the message is a cancellation, aborts the call that it names. */
  readMessage(caller: McpCaller, message: unknown): void;
}

export interface FollowedCall {
  readonly signal: AbortSignal;
  readonly end: () => void;
}

export const SESSION_HEADER = 'mcp-session-id';

/** Creates the session id that a client gets at initialization. */
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

/**
 * Returns the key of a call. The key identifies the caller, so that nobody can cancel the calls of others by guessing
 * ids.
 */
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
