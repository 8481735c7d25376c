import type { ToolCall } from '@steward/tool-calls';
import { describeCaller } from '../../api/agents/describe-caller.ts';
import { findCallSession } from '../../model-gateway/capture/call-session.ts';
import { sealCall } from '../approvals/sealed-call.ts';
import type { GovernedTool, McpCall } from '../tool.ts';
import type { CallDeps } from './call-deps.ts';

/** A call as policies see it, in the session that its caller is in now. */
export async function describeToolCall(deps: CallDeps, tool: GovernedTool, call: McpCall): Promise<ToolCall> {
  const { principal, headers, requestId: correlationId, traceparent } = call.caller;
  const sessionId = (await deps.findSession(principal, findCallSession(principal, headers))) ?? undefined;
  return {
    ...(await describeCaller(deps.db, principal, { sessionId, executionId: undefined })),
    tool: { name: tool.name, server: tool.server },
    args: call.arguments,
    isToolChanged: tool.isChanged,
    reasoning: null,
    correlationId,
    traceparent,
    seal: sealCall(deps.approvedCalls, tool, call),
  };
}
