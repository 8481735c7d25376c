import { setTimeout as delay } from 'node:timers/promises';
import { findSessionOfModelCall } from '@steward/slice-sessions';
import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import type { Principal } from '@steward/contracts';
import { findAgent } from '@steward/slice-agents';
import { isUuid } from '@steward/crypto';

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
/** Longer than an answer takes in which a tool is asked for. */
const LATELY_MS = 3_600_000;

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
  { db, clock }: { readonly db: AnyDatabase; readonly clock: Clock },
  principal: Principal,
  { kind, callId }: AgentCall,
): Promise<string | undefined> {
  const { accountId, apiKeyId } = principal;
  if (apiKeyId === undefined) return undefined;
  let only: string | undefined;
  for (const wait of LOOKED_AFTER_MS) {
    if (wait > 0) await delay(wait);
    const found = await findSessionOfModelCall(db, { accountId, apiKeyId, sourceType: kind, callId });
    if (found.sessionId !== undefined) return found.sessionId;
    only = found.onlyOpenId;
    if (wait === 0 && !(await callsModels(db, principal, clock.now()))) break;
  }
  return only;
}

/** Whether an answer may be on its way into a session: the models of many agents are called past the gateway. */
async function callsModels(db: AnyDatabase, { accountId, runtimePrincipal }: Principal, now: Date): Promise<boolean> {
  const id = runtimePrincipal?.id;
  const agent = id !== undefined && isUuid(id) ? await findAgent(db, { accountId, id }) : undefined;
  // Of one that is not in the registry nobody knows.
  if (agent === undefined) return true;
  return agent.lastModelCallAt !== null && now.getTime() - agent.lastModelCallAt.getTime() < LATELY_MS;
}
