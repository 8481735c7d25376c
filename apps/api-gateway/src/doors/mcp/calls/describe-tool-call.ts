import type { ToolCall } from '@steward/tool-calls';
import { describeCaller } from '../../api/agents/describe-caller.ts';
import { findCallSession } from '../../model-gateway/capture/call-session.ts';
import { sealCall } from '../approvals/sealed-call.ts';
import type { GovernedTool, McpCall, McpCaller } from '../tool.ts';
import type { CallDeps } from './call-deps.ts';

/** Who calls, as policies see it, in the session that the caller is in now. */
export type CallerFacts = Awaited<ReturnType<typeof describeCaller>>;

/** What is asked of the database is asked at once: each answer is waited for by an agent. */
export async function readCaller(deps: CallDeps, { principal, headers }: McpCaller): Promise<CallerFacts> {
  const asked = findCallSession(principal, headers);
  if (asked.kind === 'known') return describeCaller(deps.db, principal);
  const [facts, id] = await Promise.all([describeCaller(deps.db, principal), deps.findSession(principal, asked)]);
  if (id === null) return facts;
  return { ...facts, context: { ...facts.context, sessionId: id }, session: { id, sourceType: asked.sourceType } };
}

export function describeToolCall(
  deps: CallDeps,
  facts: CallerFacts,
  { tool, call }: { readonly tool: GovernedTool; readonly call: McpCall },
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
