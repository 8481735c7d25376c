import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { finishRun, type ApprovalRequest } from '@steward/approvals';
import { withoutRevisions } from '@steward/contracts';
import { findDenial, takeApprovedRun, type ToolCall } from '@steward/tool-calls';
import { retryDatabase } from '@steward/database';
import { answerFinalFailure } from '../answer-failure.ts';
import type { CallDeps } from '../calls/call-deps.ts';
import { describeToolCall, readCaller } from '../calls/describe-tool-call.ts';
import { recordCall } from '../calls/call-records.ts';
import { outliveClient } from '../calls/outlive-client.ts';
import type { GovernedTool, McpCall } from '../tool.ts';
import { answerError, refuse } from '../tool-results.ts';
import { answerRequest, answerRunning, answerUnknownOutcome } from './answer-request.ts';
import { openCall, openResult, sealResult, TOO_LARGE, type KeptCall } from './sealed-call.ts';

/** Interval between checks of whether the call that another connection is making has ended. */
const LOOK_EVERY_MS = 250;

/**
 * Delays between the attempts to read the data that the call depends on; if all attempts fail, the call is not made.
 * All delays and attempts together take less time than the duration of a lease, even if each attempt waits for a
 * database connection.
 */
const READ_DELAYS_MS = [100, 1000, 5000];

/**
 * Returns the result of an approved call. The call is made here unless the approval was used before, by any connection
 * or process, or was not used in time. A client that disconnects does not end a started call.
 * @param seconds time to wait if another connection is already making the call
 */
export async function settleApproved(
  deps: CallDeps,
  call: McpCall,
  { request, seconds }: { readonly request: ApprovalRequest; readonly seconds: number },
): Promise<CallToolResult> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const run = await takeApprovedRun(deps, request, call.caller.traceparent);
    switch (run?.kind) {
      case undefined:
        return answerRequest(request);
      case 'claimed':
        return makeKeptCall(deps, call, { request, sealed: run.callSealed });
      case 'done':
        return run.resultSealed === null
          ? refuse('result_not_kept', TOO_LARGE)
          : openResult(deps.approvedCalls, request, run.resultSealed);
      case 'lost':
        return answerUnknownOutcome(request);
      case 'used':
        return answerError('The approval was used for another call.');
      case 'too_late':
        return answerError('The approval was not used in time. Make the call again.');
      case 'running':
        if (performance.now() >= until || call.signal.aborted) return answerRunning(request);
        await sleep(LOOK_EVERY_MS);
    }
  }
}

interface Claimed {
  readonly request: ApprovalRequest;
  readonly sealed: Buffer;
}

async function makeKeptCall(deps: CallDeps, call: McpCall, { request, sealed }: Claimed): Promise<CallToolResult> {
  const kept = openCall(deps.approvedCalls, request, sealed);
  const caller = { ...call.caller, principal: withoutRevisions(call.caller.principal) };
  const own = outliveClient({ ...call, caller, arguments: kept.arguments });
  return finishClaimed(
    deps,
    request,
    async () => {
      const judged = await retryDatabase(() => judgeKept(deps, own, { request, kept }), READ_DELAYS_MS);
      if ('refusal' in judged) return answerError(judged.refusal);
      const { tool, toolCall } = judged;
      return recordCall(deps, { tool, call: own, toolCall, outcome: 'approved', request }, () => tool.run(own));
    },
    call,
  );
}

type Judged = { readonly refusal: string } | { readonly tool: GovernedTool; readonly toolCall: ToolCall };

/** Returns the call as it would be made now, or the reason why it is refused. */
async function judgeKept(
  deps: CallDeps,
  call: McpCall,
  { request, kept }: { readonly request: ApprovalRequest; readonly kept: KeptCall },
): Promise<Judged> {
  const { list, servers } = deps.source;
  const [tools, offering] = await Promise.all([list(call.caller), servers(call.caller)]);
  const callable = [...tools, ...offering.flatMap(({ read, prompt }) => [read, prompt])];
  const tool = callable.find(({ server, name }) => server === kept.server && name === kept.name);
  if (tool === undefined) return { refusal: 'The tool no longer exists.' };
  // A call that an earlier release stored has no hash, so it is refused if the tool belongs to a server.
  if (request.definitionHash !== (tool.definitionHash ?? null))
    return { refusal: 'The tool has changed since the approval was requested. Make the call again.' };
  const toolCall = describeToolCall(deps, await readCaller(deps, call), { tool, call });
  const denial = await findDenial(deps, toolCall);
  return denial === undefined ? { tool, toolCall } : { refusal: `Denied by policy: ${denial.ruleDescription}` };
}

/** Makes a call whose approval was used up, and stores its result. The call continues if its client disconnects. */
export async function finishClaimed(
  deps: CallDeps,
  request: ApprovalRequest,
  work: () => Promise<CallToolResult>,
  { caller }: McpCall,
): Promise<CallToolResult> {
  return deps.leases.hold(request.id, async () => {
    const result = await work().catch((error: unknown) => answerFinalFailure(error, deps.logger, caller));
    try {
      const kept = sealResult(deps.approvedCalls, request, result);
      await retryDatabase(() => finishRun(deps.db, request, kept));
    } catch (error) {
      // This caller still gets the result; when the lease has expired, others get the status `outcome_unknown`.
      deps.logger.error('mcp.result_not_kept', { approval_request_id: request.id, error });
    }
    return result;
  });
}
