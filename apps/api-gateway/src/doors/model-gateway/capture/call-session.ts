import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type Principal } from '@steward/contracts';
import { GATEWAY_SOURCE_TYPE, isNameOfCurrent, type OpenCurrentSessionInput } from '@steward/slice-sessions';

/** Where a call belongs: a session that is known, or what names one. */
export type CallSession =
  | { readonly kind: 'known'; readonly sessionId: string }
  | { readonly kind: 'source'; readonly sourceType: string; readonly source: OpenCurrentSessionInput['source'] };

const OWN_HEADER = 'x-service-session-id';
const MAX_ID = 255;

/**
 * What agents send of themselves, by the kind a key is bound to: others may send anything, and a border between sessions that was
 * drawn wrong cannot be mended. The source is that of imported transcripts, so both are one session.
 */
const AGENT_HEADERS: Readonly<Record<string, readonly string[]>> = {
  claude_code: ['x-claude-code-session-id'],
  codex: ['session-id', 'session_id'],
  opencode: ['x-session-id'],
};

/** Whether a call says of which session of its agent it is. */
export function namesAgentSession(headers: IncomingHttpHeaders): boolean {
  return Object.values(AGENT_HEADERS).some((names) => names.some((name) => readHeader(headers, name) !== undefined));
}

/**
 * @param kind - of its agent, where that may name it
 * @throws invalid_request for a session id that is too long, or that of a key or user that names none
 */
export function findCallSession(principal: Principal, headers: IncomingHttpHeaders, kind = ''): CallSession {
  const { runtimeSessionId, apiKeyId, userId } = principal;
  if (runtimeSessionId !== undefined) return { kind: 'known', sessionId: runtimeSessionId };
  const own = readHeader(headers, OWN_HEADER);
  if (own !== undefined) {
    if (own.length > MAX_ID) throw refuse(`X-Service-Session-Id can have at most ${MAX_ID} characters.`);
    if (isNameOfCurrent(GATEWAY_SOURCE_TYPE, own))
      throw refuse('Session ids of this form are reserved for callers without a session id. Choose another id.');
    return { kind: 'source', sourceType: GATEWAY_SOURCE_TYPE, source: { id: own } };
  }
  const names = Object.hasOwn(AGENT_HEADERS, kind) ? AGENT_HEADERS[kind] : undefined;
  const sent = names?.map((name) => readHeader(headers, name)).find((id) => id !== undefined && id.length <= MAX_ID);
  if (sent !== undefined) return { kind: 'source', sourceType: kind, source: { id: sent } };
  const current = apiKeyId === undefined ? `user:${userId}` : `key:${apiKeyId}`;
  return { kind: 'source', sourceType: GATEWAY_SOURCE_TYPE, source: { current } };
}

function refuse(message: string): AppError {
  return new AppError('invalid_request', { message, detail: { field: OWN_HEADER } });
}

function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
