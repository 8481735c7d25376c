import { Type, type Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { compileBodyValidation } from '@steward/http';
import { toPlainJson } from '@steward/text';
import { findRequest, type ApprovalRequest } from '@steward/approvals';
import { describeCaller, findHeldRequest, isCallerOf } from '@steward/tool-calls';
import { answerRequest } from '../approvals/answer-request.ts';
import { settleApproved } from '../approvals/settle-approved.ts';
import { readRequest, type HoldDeps } from '../approvals/wait-for-request.ts';
import type { CallDeps } from '../calls/call-deps.ts';
import type { BuiltinTool, GovernedTool, McpCall, McpCaller } from '../tool.ts';

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
          description: 'The call that waits, instead of the id, if its response was lost. The call is not made.',
        },
      ),
    ),
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

type StatusArguments = Static<typeof Arguments>;

/** Data of a tool by which its calls are compared. */
export type NamedTool = Pick<GovernedTool, 'server' | 'name' | 'definitionHash'>;

/**
 * Creates the tool that returns the state of a request that its caller created; if the request is approved, the tool
 * makes the call, unless it was already made, and returns the result.
 * @param findTool - returns the tool that the caller calls by this name
 */
export function createApprovalStatusTool(
  deps: CallDeps,
  findTool: (name: string, caller: McpCaller) => Promise<NamedTool | undefined>,
): BuiltinTool {
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
      const { wait_seconds: seconds = 0 } = asked;
      const request = await findAsked(deps, call, asked, findTool);
      const { id } = request;
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
 * Returns the request with the given id, or that of the given call.
 * @throws not_found, invalid_request
 */
async function findAsked(
  deps: CallDeps,
  call: McpCall,
  { approval_request_id: id, call: held }: StatusArguments,
  findTool: (name: string, caller: McpCaller) => Promise<NamedTool | undefined>,
): Promise<ApprovalRequest> {
  if ((id === undefined) === (held === undefined))
    throw new AppError('invalid_request', { message: 'State either approval_request_id or call.' });
  if (id !== undefined) return findOwn(deps, call, id);
  const { caller } = call;
  const [tool, facts] = await Promise.all([
    findTool(held?.name ?? '', caller),
    describeCaller(deps.db, caller.principal),
  ]);
  // The arguments are not those that were validated, whose numbers may have lost digits.
  const args = (call.arguments['call'] as { readonly arguments: Readonly<Record<string, unknown>> }).arguments;
  const { traceparent } = caller;
  const { definitionHash } = tool ?? {};
  const found = tool && (await findHeldRequest(deps, { ...facts, tool, args, definitionHash, traceparent }));
  if (found !== undefined) return found;
  throw new AppError('not_found', { message: 'No request of yours waits for this call, and the call was not made.' });
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
