import { Type, type Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { compileBodyValidation } from '@steward/http';
import { toPlainJson } from '@steward/text';
import { findRequest, type ApprovalRequest } from '@steward/approvals';
import { isCallerOf, describeCaller } from '@steward/tool-calls';
import { answerRequest } from '../approvals/answer-request.ts';
import { settleApproved } from '../approvals/settle-approved.ts';
import { readRequest, type HoldDeps } from '../approvals/wait-for-request.ts';
import type { CallDeps } from '../calls/call-deps.ts';
import type { BuiltinTool, McpCall } from '../tool.ts';

/** Maximum wait for a decision, shorter than the timeout of nearly every client (60 s). */
const MAX_WAIT_SECONDS = 45;

const Arguments = Type.Object(
  {
    approval_request_id: Type.String({ format: 'uuid', description: 'Id of the request, from the pending response.' }),
    wait_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        description: 'Seconds to wait for a decision. Default 0.',
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool that returns the state of a request that its caller created; if the request is approved, the tool
 * makes the call, unless it was already made, and returns the result.
 */
export function createApprovalStatusTool(deps: CallDeps): BuiltinTool {
  const validate = compileBodyValidation(Arguments);
  return {
    definition: {
      name: 'get_approval_status',
      description: 'Read the state of a call that is waiting for approval; once it has been approved, get its result.',
      inputSchema: JSON.parse(JSON.stringify(Arguments)) as { type: 'object' },
      annotations: { idempotentHint: true, openWorldHint: false },
    },
    async call(call) {
      const { approval_request_id: id, wait_seconds: seconds = 0 } = validate(toPlainJson(call.arguments)) as Static<
        typeof Arguments
      >;
      const request = await findOwn(deps, call, id);
      const begun = performance.now();
      if (request.status === 'pending' && seconds > 0) await waitInPlace(deps, call, { id, seconds });
      const latest = await readRequest(deps.db, request);
      if (latest.status !== 'approved' || call.signal.aborted) return answerRequest(latest);
      return settleApproved(deps, call, { request: latest, seconds: seconds - (performance.now() - begun) / 1000 });
    },
  };
}

/** Waits for a decision; without a free slot (LIM-9) it returns at once, and the tool returns the current state. */
async function waitInPlace(
  { waits, openRequests }: Pick<HoldDeps, 'waits' | 'openRequests'>,
  { caller, signal }: McpCall,
  { id, seconds }: { readonly id: string; readonly seconds: number },
): Promise<void> {
  const leave = openRequests.waits.enterIfFree(caller.principal);
  if (leave !== undefined) await waits.wait(id, seconds, signal).finally(leave);
}

/**
 * Returns a request of this caller; requests of other callers are not found.
 * @throws not_found
 */
async function findOwn({ db }: Pick<HoldDeps, 'db'>, { caller }: McpCall, id: string): Promise<ApprovalRequest> {
  const { accountId } = caller.principal;
  const request = await findRequest(db, { accountId, id });
  if (request !== undefined && isCallerOf(await describeCaller(db, caller.principal), request)) return request;
  throw new AppError('not_found', { message: 'You have no such request.' });
}
