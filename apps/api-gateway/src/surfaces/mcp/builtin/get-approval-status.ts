import type { CallToolResult } from '@modelcontextprotocol/server';
import { Type, type Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { compileBodyValidation } from '@steward/http';
import { toPlainJson } from '@steward/text';
import { findRequest, type ApprovalRequest } from '@steward/approvals';
import { describeCaller, findHeldRequest, isCallerOf } from '@steward/tool-calls';
import { answerFound, answerRequest } from '../approvals/answer-request.ts';
import { settleApproved } from '../approvals/settle-approved.ts';
import { readRequest, type HoldDeps } from '../approvals/wait-for-request.ts';
import type { CallDeps } from '../calls/call-deps.ts';
import { describeToolCall, readCaller } from '../calls/describe-tool-call.ts';
import type { BuiltinTool, DecidedTool, McpCall, McpCaller } from '../tool.ts';

/** Maximum wait for a decision, shorter than the timeout of nearly every client (60 s). */
const MAX_WAIT_SECONDS = 45;

const Arguments = Type.Object(
  {
    approval_request_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Id of the request, from the pending response.' }),
    ),
    call: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, description: 'Name of the tool.' }),
          arguments: Type.Object({}, { description: 'Exactly the arguments of the call.' }),
        },
        {
          additionalProperties: false,
          description:
            'A call whose response was lost, instead of the id: returns the id of its request, and makes no call.',
        },
      ),
    ),
    wait_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        description: 'Seconds to wait for a decision on the request with this id. Default 0.',
      }),
    ),
  },
  { additionalProperties: false },
);

type StatusArguments = Static<typeof Arguments>;
/**
 * Returns the tool that the caller calls by this name. If `isAlwaysHeld` is true, its calls are held even if the policy
 * allows them.
 */
type FindTool = (
  name: string,
  caller: McpCaller,
) => Promise<(DecidedTool & { readonly isAlwaysHeld?: boolean }) | undefined>;

/**
 * Creates the tool that returns the state of a request that its caller created; if the request is approved, the tool
 * makes the call, unless it was already made, and returns the result.
 */
export function createApprovalStatusTool(deps: CallDeps, findTool: FindTool): BuiltinTool {
  const validate = compileBodyValidation(Arguments);
  return {
    definition: {
      name: 'get_approval_status',
      description: 'Read the state of a call that is waiting for approval; once it has been approved, get its result.',
      inputSchema: JSON.parse(JSON.stringify(Arguments)) as { type: 'object' },
      annotations: { idempotentHint: true, openWorldHint: false },
    },
    async call(call) {
      const asked = validate(toPlainJson(call.arguments)) as StatusArguments;
      const { approval_request_id: id, call: held, wait_seconds: seconds = 0 } = asked;
      if (held !== undefined && id === undefined) return findByCall(deps, call, held.name, findTool);
      if (held !== undefined || id === undefined)
        throw new AppError('invalid_request', { message: 'State either approval_request_id or call.' });
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
 * Returns the state and the id of the request to which a held call belongs; makes no call.
 * @throws not_found
 */
async function findByCall(deps: CallDeps, call: McpCall, name: string, findTool: FindTool): Promise<CallToolResult> {
  const [tool, facts] = await Promise.all([findTool(name, call.caller), readCaller(deps, call)]);
  // The arguments are read as they were sent: the numbers in the validated copy may have lost digits.
  const { arguments: args } = call.arguments['call'] as Pick<McpCall, 'arguments'>;
  const held = tool && describeToolCall(deps, facts, { tool, call: { ...call, arguments: args } });
  const request = held && (await findHeldRequest(deps, held, tool));
  if (request !== undefined) return answerFound(request);
  throw new AppError('not_found', {
    message: 'No request of yours waits for this call. Whether the call was made is not known.',
  });
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
