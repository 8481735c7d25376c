import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { finishRun, type ApprovalRequest } from '@steward/slice-approvals';
import { findDenial, takeApprovedRun } from '@steward/tool-calls';
import { retryStoring } from '../../../background/retry-storing.ts';
import { answerFailure } from '../answer-failure.ts';
import type { CallDeps } from '../calls/call-deps.ts';
import { describeToolCall, readCaller } from '../calls/describe-tool-call.ts';
import { recordCall } from '../calls/call-records.ts';
import { outliveClient } from '../calls/outlive-client.ts';
import type { McpCall } from '../tool.ts';
import { answerError, refuse } from '../tool-results.ts';
import { answerRequest, answerRunning, answerUnknownOutcome } from './answer-request.ts';
import { openCall, openResult, sealResult } from './sealed-call.ts';

/** Between two looks at a run of another connection. */
const LOOK_EVERY_MS = 250;

/**
 * What an approved call answered: it is made here unless it was made before, by whichever connection or process. That a client
 * leaves does not end a call that was begun.
 * @param seconds how long to wait for a run that another connection began
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
          ? refuse('result_not_kept', 'The call was made. Its result was too large to be kept.')
          : openResult(deps.approvedCalls, request, run.resultSealed);
      case 'lost':
        return answerUnknownOutcome(request);
      case 'used':
        return answerError('The approval went with a call that was made elsewhere.');
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
  return finishClaimed(
    deps,
    request,
    async () => {
      const own = outliveClient({ ...call, arguments: kept.arguments });
      const tool = (await deps.source.list(call.caller)).find(
        ({ server, name }) => server === kept.server && name === kept.name,
      );
      if (tool === undefined) return answerError('The tool is not there any more.');
      const toolCall = describeToolCall(deps, await readCaller(deps, call.caller), { tool, call: own });
      const denial = await findDenial(deps, toolCall);
      if (denial !== undefined) return answerError(`Denied by policy: ${denial.ruleDescription}`);
      return recordCall(deps, { tool, call: own, toolCall, outcome: 'approved', request }, () => tool.run(own));
    },
    call,
  );
}

/** Makes a call whose approval was used up, and keeps what it answered. The client's leaving is not its end. */
export async function finishClaimed(
  deps: CallDeps,
  request: ApprovalRequest,
  work: () => Promise<CallToolResult>,
  { caller }: McpCall,
): Promise<CallToolResult> {
  return deps.leases.hold(request.id, async () => {
    const result = await work().catch((error: unknown) => answerFailure(error, deps.logger, caller));
    try {
      const kept = sealResult(deps.approvedCalls, request, result);
      await retryStoring(() => finishRun(deps.db, request, kept));
    } catch (error) {
      // Whoever made the call has its result; others are told that nobody knows.
      deps.logger.error('mcp.result_not_kept', { approval_request_id: request.id, error });
    }
    return result;
  });
}
