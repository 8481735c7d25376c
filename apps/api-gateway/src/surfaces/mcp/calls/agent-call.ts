import { setTimeout as delay } from 'node:timers/promises';
import { findSessionOfModelCall } from '@steward/sessions';
import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import type { Principal } from '@steward/contracts';
import { findAgent } from '@steward/agents';
import { isUuid } from '@steward/crypto';

/** Data that an agent of a known kind sends with a call in addition to the arguments. */
export interface AgentCall {
  readonly kind: string;
  /** Id of the call in the agent's transcript. */
  readonly callId: string;
  /**
   * Id of the session that the agent names; undefined if it is the session of the model call that requested the tool
   * call.
   */
  readonly sessionId: string | undefined;
}

type Meta = Readonly<Record<string, unknown>>;

const ID = /^[\w.:-]{1,200}$/;
/**
 * Delays before the look-ups of the model response: responses of the model gateway are stored just after they end, so a
 * tool call may arrive earlier.
 */
const LOOKED_AFTER_MS = [0, 50, 150, 400];
/** If the agent's last model call is older than this, its response has ended: receiving a response takes less time. */
const LATELY_MS = 3_600_000;

/** Reads the `_meta` of a call according to the kind of its agent (observed: Claude Code 2.1, Codex 0.171). */
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

/**
 * Returns the session of the model call that requested this tool call. If no such model call is found, returns the
 * key's only open session of the agent's kind, or undefined if the key has none or several.
 */
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

/**
 * Returns whether a model response for this caller may be stored soon. Many agents call their models without the
 * gateway: for a registered agent without a recent model call, the result is false.
 */
async function callsModels(db: AnyDatabase, { accountId, runtimePrincipal }: Principal, now: Date): Promise<boolean> {
  const id = runtimePrincipal?.id;
  const agent = id !== undefined && isUuid(id) ? await findAgent(db, { accountId, id }) : undefined;
  // It is unknown whether an unregistered agent calls models.
  if (agent === undefined) return true;
  return agent.lastModelCallAt !== null && now.getTime() - agent.lastModelCallAt.getTime() < LATELY_MS;
}
