import { setTimeout as delay } from 'node:timers/promises';
import { findSessionOfModelCall } from '@steward/slice-sessions';
import type { AnyDatabase } from '@steward/database';
import type { Principal } from '@steward/contracts';

/** What an agent says of a call beside its arguments, where its kind is known to say it. */
export interface AgentCall {
  readonly kind: string;
  /** As its transcript names the call. */
  readonly callId: string;
  /** Undefined: the call of a model that asked for it tells. */
  readonly sessionId: string | undefined;
}

type Meta = Readonly<Record<string, unknown>>;

const ID = /^[\w.:-]{1,200}$/;
/** What passed the model gateway is stored just after its answer: a first call may be earlier. */
const LOOKED_AFTER_MS = [0, 50, 150, 400];

/** `_meta` of a call by the kind of its agent (seen: Claude Code 2.1, Codex 0.171). */
export function readAgentCall(kind: string | undefined, meta: Meta | undefined): AgentCall | undefined {
  if (meta === undefined) return undefined;
  if (kind === 'codex') return makeCall(kind, meta['callId'], readId(meta['threadId']) ?? readId(meta['sessionId']));
  if (kind === 'claude_code') return makeCall(kind, meta['claudecode/toolUseId'], undefined);
  return undefined;
}

function makeCall(kind: string, callId: unknown, sessionId: string | undefined): AgentCall | undefined {
  const id = readId(callId);
  return id === undefined || (kind === 'codex' && sessionId === undefined)
    ? undefined
    : { kind, callId: id, sessionId };
}

function readId(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) ? value : undefined;
}

/** The session of the model call that asked for this one; of a key with one such session, that. Undefined where nothing tells. */
export async function findCallingSession(
  db: AnyDatabase,
  { accountId, apiKeyId }: Principal,
  { kind, callId }: AgentCall,
): Promise<string | undefined> {
  if (apiKeyId === undefined) return undefined;
  let only: string | undefined;
  for (const wait of LOOKED_AFTER_MS) {
    if (wait > 0) await delay(wait);
    const found = await findSessionOfModelCall(db, { accountId, apiKeyId, sourceType: kind, callId });
    if (found.sessionId !== undefined) return found.sessionId;
    only = found.onlyOpenId;
  }
  return only;
}
