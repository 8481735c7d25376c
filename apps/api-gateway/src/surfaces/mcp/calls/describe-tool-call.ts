import type { Principal } from '@steward/contracts';
import { type ToolCall, describeCaller } from '@steward/tool-calls';
import { findCallSession, type CallSession } from '@steward/sessions';
import { sealCall } from '../approvals/sealed-call.ts';
import type { DecidedTool, McpCall } from '../tool.ts';
import { findCallingSession, readAgentCall } from './agent-call.ts';
import type { CallDeps } from './call-deps.ts';

/** The caller in the form that policies use, in its current session. */
export type CallerFacts = Awaited<ReturnType<typeof describeCaller>> & {
  /** Id of the call in the agent's transcript, if the transcript belongs to the session of the call. */
  readonly agentCallId?: string;
};

/** A caller whose session lookup may still be in progress. */
export interface FoundCaller {
  /** Facts without the session, unless the caller's credential names it. */
  readonly facts: CallerFacts;
  readonly whole: Promise<CallerFacts>;
}

/**
 * Finds the caller, with or without its session. The database queries run concurrently, because an agent waits for the
 * results.
 */
export async function findCaller(
  deps: CallDeps,
  { caller: { principal, headers }, meta }: McpCall,
): Promise<FoundCaller> {
  const asked = findCallSession(principal, headers);
  if (asked.kind === 'known') {
    const facts = await describeCaller(deps.db, principal);
    return { facts, whole: Promise.resolve(facts) };
  }
  const found = findSession(deps, principal, asked, meta);
  const described = describeCaller(deps.db, principal);
  const whole = Promise.all([described, found]).then(([facts, session]) => addSession(facts, session));
  // Callers that wait for `whole` get the error.
  whole.catch(() => undefined);
  return { facts: await described, whole };
}

/** Returns the caller in its session. */
export async function readCaller(deps: CallDeps, call: McpCall): Promise<CallerFacts> {
  return (await findCaller(deps, call)).whole;
}

function addSession(facts: CallerFacts, { id, sourceType, agentCallId }: FoundSession): CallerFacts {
  if (id === null) return facts;
  const session = { context: { ...facts.context, sessionId: id }, session: { id, sourceType } };
  return { ...facts, ...session, ...(agentCallId !== undefined && { agentCallId }) };
}

interface FoundSession {
  /** Null if the session could not be opened. */
  readonly id: string | null;
  readonly sourceType: string;
  readonly agentCallId?: string;
}

/**
 * Returns the session that the request names, or else the agent's current session (TOOL-13), or else the session of the
 * caller's key.
 */
async function findSession(
  deps: CallDeps,
  principal: Principal,
  asked: CallSession & { readonly kind: 'source' },
  meta: McpCall['meta'],
): Promise<FoundSession> {
  const call = 'current' in asked.source ? readAgentCall(await deps.findKind(principal), meta) : undefined;
  if (call !== undefined) {
    const { kind: sourceType, sessionId, callId: agentCallId } = call;
    const id =
      sessionId === undefined
        ? await findCallingSession(deps, principal, call)
        : await deps.findSession(principal, { kind: 'source', sourceType, source: { id: sessionId } });
    if (id !== undefined && id !== null) return { id, sourceType, agentCallId };
  }
  return { id: await deps.findSession(principal, asked), sourceType: asked.sourceType };
}

export function describeToolCall(
  deps: CallDeps,
  facts: CallerFacts,
  { tool, call }: { readonly tool: DecidedTool; readonly call: McpCall },
): ToolCall {
  const { requestId: correlationId, traceparent } = call.caller;
  return {
    ...facts,
    tool: { name: tool.name, server: tool.server },
    args: call.arguments,
    isToolChanged: tool.isChanged,
    definitionHash: tool.definitionHash,
    reasoning: null,
    correlationId,
    traceparent,
    seal: sealCall(deps.approvedCalls, tool, call),
  };
}
