import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type Principal } from '@steward/contracts';
import { GATEWAY_SOURCE_TYPE, isNameOfCurrent } from '../sessions/rules/current-name.ts';
import { type OpenCurrentSessionInput } from '../sessions/operations/open-current-session.ts';

/** The session of a call: a known session, or the data by which it is found. */
export type CallSession =
  | { readonly kind: 'known'; readonly sessionId: string }
  | { readonly kind: 'source'; readonly sourceType: string; readonly source: OpenCurrentSessionInput['source'] };

const OWN_HEADER = 'x-service-session-id';
const MAX_ID = 255;

/**
 * Session headers of agents, by the kind of the agent to which a key is bound. These headers are read only for keys of
 * such agents: other callers may send any value, and wrong session boundaries cannot be repaired. The kind of the agent
 * is also the source type of its imported transcripts, so that calls and transcripts result in one session.
 */
const AGENT_HEADERS: Readonly<Record<string, readonly string[]>> = {
  claude_code: ['x-claude-code-session-id'],
  codex: ['session-id', 'session_id'],
  opencode: ['x-session-id'],
};

const ALL_AGENT_HEADERS = Object.values(AGENT_HEADERS).flat();

/** Returns whether a call has a session header of an agent. */
export function namesAgentSession(headers: IncomingHttpHeaders): boolean {
  return ALL_AGENT_HEADERS.some((name) => readHeader(headers, name) !== undefined);
}

/**
 * Returns the session of a call.
 *
 * @param kind - kind of the caller's agent, if the agent may name its session
 * @throws invalid_request for an id in X-Service-Session-Id that is too long, or that the gateway reserves for callers
 * without a session id
 */
export function findCallSession(principal: Principal, headers: IncomingHttpHeaders, kind = ''): CallSession {
  const { runtimeSessionId, apiKeyId, userId } = principal;
  if (runtimeSessionId !== undefined) return { kind: 'known', sessionId: runtimeSessionId };
  const own = readHeader(headers, OWN_HEADER);
  if (own !== undefined) {
    if (own.length > MAX_ID) throw refuse(`X-Service-Session-Id can have at most ${MAX_ID} characters.`);
    if (isNameOfCurrent(GATEWAY_SOURCE_TYPE, own))
      throw refuse('Session ids in this format are reserved for callers without a session id. Choose another id.');
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
