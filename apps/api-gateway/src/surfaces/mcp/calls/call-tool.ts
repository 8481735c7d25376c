import type { CallToolResult } from '@modelcontextprotocol/server';
import { readOutlooks } from '@steward/approvals';
import { findFreshRevision } from '@steward/contracts';
import { allowWithoutSession, decideToolCall, type ToolCallVerdict } from '@steward/tool-calls';
import { answerPending, answerRequest, withoutStructure } from '../approvals/answer-request.ts';
import { finishClaimed, settleApproved } from '../approvals/settle-approved.ts';
import { waitForRequest } from '../approvals/wait-for-request.ts';
import { runTool } from './run-tool.ts';
import type { GovernedTool, McpCall } from '../tool.ts';
import { answerError } from '../tool-results.ts';
import type { CallDeps } from './call-deps.ts';
import { recordCall, type CallRecord } from './call-records.ts';
import { describeToolCall, type CallerFacts, type FoundCaller } from './describe-tool-call.ts';
import { outliveClient } from './outlive-client.ts';

/**
 * Maximum time to wait for the same call on another connection, shorter than the timeout of nearly every client (60 s).
 */
const WAIT_FOR_RUN_SECONDS = 45;

interface AskedCall {
  readonly tool: GovernedTool;
  readonly call: McpCall;
}

/** Decides a call according to the policy in force, and then makes it, waits for people, or refuses it. */
export async function callTool(deps: CallDeps, caller: FoundCaller, asked: AskedCall): Promise<CallToolResult> {
  const early = await callEarly(deps, caller, asked);
  if (early !== undefined) return early;
  const { tool } = asked;
  const { call, toolCall } = describeCall(deps, await caller.whole, asked);
  const verdict = await decideToolCall(deps, toolCall, findFreshRevision(call.caller.principal, 'policies'));
  const { rule } = verdict.decision;
  const record = { tool, call, toolCall, ruleId: rule?.id ?? null };
  switch (verdict.kind) {
    case 'allowed':
      return recordCall(deps, { ...record, outcome: 'allowed' }, () => runTool(tool, call));
    case 'denied':
      return recordCall(deps, { ...record, outcome: 'denied' }, () => answerError(explainDenial(verdict)));
    case 'declined': {
      const { request } = verdict;
      return recordCall(deps, { ...record, outcome: 'declined', request }, () => answerRequest(request));
    }
    case 'approved': {
      const { request } = verdict;
      const own = outliveClient(call);
      return finishClaimed(
        deps,
        request,
        () => recordCall(deps, { ...record, call: own, outcome: 'approved', request }, () => runTool(tool, own)),
        call,
      );
    }
    case 'pending':
      return waitAndSettle(deps, tool, call, { verdict, record });
  }
}

function describeCall(deps: CallDeps, facts: CallerFacts, { tool, call: given }: AskedCall) {
  const toolCall = describeToolCall(deps, facts, { tool, call: given });
  const { agentCallId } = facts;
  return { call: { ...given, sessionId: toolCall.context.sessionId, agentCallId }, toolCall };
}

/**
 * Makes a call that the policy allows in any session; the session, which only the record needs, is looked up meanwhile.
 * Returns undefined if the session has to be known first.
 */
async function callEarly(
  deps: CallDeps,
  { facts, whole }: FoundCaller,
  asked: AskedCall,
): Promise<CallToolResult | undefined> {
  const { tool, call } = asked;
  if (tool.readsSession === true) return undefined;
  const { toolCall } = describeCall(deps, facts, asked);
  const known = findFreshRevision(call.caller.principal, 'policies');
  const decision = await allowWithoutSession(deps, toolCall, known);
  if (decision === undefined) return undefined;
  const { logger } = deps;
  const record = whole
    .catch((error: unknown) => {
      // The tool was called, so the record of the call is stored even without a session.
      logger.error('mcp.session_not_found', { request_id: call.caller.requestId, error });
      return facts;
    })
    .then((found) => ({
      tool,
      ...describeCall(deps, found, asked),
      ruleId: decision.rule?.id ?? null,
      outcome: 'allowed' as const,
    }));
  return recordCall(deps, record, () => runTool(tool, call));
}

type Pending = Extract<ToolCallVerdict, { readonly kind: 'pending' }>;

async function waitAndSettle(
  deps: CallDeps,
  tool: GovernedTool,
  call: McpCall,
  { verdict, record }: { readonly verdict: Pending; readonly record: Omit<CallRecord, 'outcome'> },
): Promise<CallToolResult> {
  const request = await waitForRequest(deps, call, verdict);
  if (request.status === 'pending') {
    const outlooks = await readOutlooks(deps.db, [request]);
    const answer = answerPending(request, outlooks.get(request.id)?.stuckReason);
    return tool.definition.outputSchema === undefined ? answer : withoutStructure(answer);
  }
  if (request.status !== 'approved') {
    return recordCall(deps, { ...record, outcome: 'declined', request }, () => answerRequest(request));
  }
  // If the client has disconnected, the approval remains available until the caller repeats the call.
  if (call.signal.aborted) return answerPending(request);
  return settleApproved(deps, call, { request, seconds: WAIT_FOR_RUN_SECONDS });
}

function explainDenial({ decision }: ToolCallVerdict): string {
  const { ruleDescription, conditionError } = decision;
  const why = conditionError === null ? '' : ` (the condition failed: ${conditionError})`;
  return `Denied by policy: ${ruleDescription}${why}`;
}
