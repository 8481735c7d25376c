import { AGENT_KINDS, findFreshRevision, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, type AnswerBody, type Route } from '@steward/http';
import {
  describeOutlook,
  findRequest,
  readOutlooks,
  type ApprovalRequest,
  type ApprovalWaits,
} from '@steward/approvals';
import type { ReadToolName } from '@steward/policies';
import { parseExactJson, toStorableJson } from '@steward/text';
import {
  decideToolCall,
  type ToolCall,
  type ToolCallDeps,
  type ToolCallVerdict,
  describeCaller,
} from '@steward/tool-calls';
import type { AgentActivity, OpenRequests } from '@steward/api';
import { findAskedTool } from './find-own-tool.ts';
import { createReadOwnTool } from './read-own-tool.ts';
import { NO_NOTES, takeHookNotes, type HookNotesDeps } from './hook-notes.ts';
import { PermissionCheckAnswer, PermissionCheckBody } from './permission-check-schemas.ts';

export type PermissionCheckDeps = ToolCallDeps &
  HookNotesDeps & {
    readonly agentActivity: AgentActivity;
    readonly settings: { readonly mcpServerNames: readonly string[] };
    readonly waits: ApprovalWaits;
    readonly openRequests: Pick<OpenRequests, 'waits'>;
  };

/** Maximum size of a body, the same as for other routes that accept the arguments of a call. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/**
 * Interval at which clients should poll. It is long, because people take time to decide, and each poll costs one or two
 * database statements.
 */
const POLL_AFTER_SECONDS = 5;

/**
 * Creates the route POST /api/v1/agents/permission-check, which decides whether a call may be made, for tools that do
 * not run through the service.
 */
export function createPermissionCheckRoute(deps: PermissionCheckDeps): Route {
  const readOwnTool = createReadOwnTool(deps.settings.mcpServerNames);
  return defineRoute({
    operationId: 'checkPermission',
    method: 'post',
    path: '/api/v1/agents/permission-check',
    openTo: AGENT_KINDS,
    isAct: true,
    reusesCaller: true,
    permissions: ['manage_runtime_sessions'],
    summary: 'Check whether an agent may call a tool, before the call.',
    description:
      'Any response other than 200 with the decision "allow" means that the call is not permitted. Tools of /mcp/v1 (server "steward") are allowed here, because the MCP endpoint decides on their calls itself. If the same call is repeated while its approval request is pending, the decision is "pending" again, and no second request is created. Within 15 minutes after an approval, the call is allowed once; within one minute after a decline, it is denied. In all other cases, the call creates a new request.',
    body: PermissionCheckBody,
    bodyExample: {
      tool_name: 'delete_branch',
      server: 'github',
      arguments: { repository: 'shop', branch: 'old' },
      reasoning: 'The branch was merged.',
      runtime_session_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b23',
    },
    bodyLimitBytes: BODY_LIMIT_BYTES,
    responses: { 200: { description: 'The decision.', name: 'PermissionCheck', schema: PermissionCheckAnswer } },
    unaudited: 'An approval request that the check creates is a separate record.',
    handler: async ({ body, rawBody, principal, requestId, traceparent, signal }) => {
      deps.agentActivity.note(principal, 'permission_check');
      const named = {
        sessionId: body.runtime_session_id ?? undefined,
        executionId: body.execution_id ?? undefined,
      };
      const caller = await describeCaller(deps.db, principal, named);
      const asked = await findAskedTool({ db: deps.db, readOwnTool }, principal.accountId, body);
      const decide = (read: ReadToolName): Promise<ToolCallVerdict> => {
        const { reasoning = null, wait_seconds: waitSeconds = 0 } = body;
        const args = readArguments(rawBody);
        const call = { ...caller, ...read, args, reasoning, correlationId: requestId, traceparent };
        return decideAndWait(deps, call, { principal, waitSeconds, signal });
      };
      const answer = asked.kind === 'of_door' ? LEFT_TO_DOOR : await presentVerdict(deps.db, await decide(asked.read));
      const takes = body.takes_operator_notes ?? true;
      const turn = { principal, sessionId: named.sessionId, channel: 'hook', traceparent } as const;
      const { notes, onSent } = takes && !signal.aborted ? await takeHookNotes(deps, turn) : NO_NOTES;
      return { status: 200, body: { ...answer, operator_notes: notes }, onSent };
    },
  });
}

/**
 * Reads the arguments of a call. Numbers keep their original notation, so that a number that a double cannot represent
 * is evaluated, held and hashed as sent.
 */
function readArguments(rawBody: Buffer): unknown {
  const { arguments: args = {} } = parseExactJson(new TextDecoder().decode(rawBody)) as {
    readonly arguments?: unknown;
  };
  return toStorableJson(args);
}

type DecidedAnswer = Omit<AnswerBody<typeof PermissionCheckAnswer>, 'operator_notes'>;

const LEFT_TO_DOOR: DecidedAnswer = {
  decision: 'allow',
  reason: 'This is a tool of this service. The MCP endpoint decides on each call and asks approvers where needed.',
  rule: null,
  condition_error: null,
  approval_request_id: null,
  expires_at: null,
  poll_after_seconds: null,
};

async function decideAndWait(
  deps: PermissionCheckDeps,
  call: ToolCall,
  waiting: { readonly principal: Principal; readonly waitSeconds: number; readonly signal: AbortSignal },
): Promise<ToolCallVerdict> {
  const { principal, waitSeconds, signal } = waiting;
  const verdict = await decideToolCall(deps, call, findFreshRevision(principal, 'policies'));
  if (verdict.kind !== 'pending' || waitSeconds === 0) return verdict;
  // Without a free slot, the response is sent at once: the request has already been created, and the client can poll
  // for its result.
  const leave = deps.openRequests.waits.enterIfFree(principal);
  if (leave !== undefined) await deps.waits.wait(verdict.request.id, waitSeconds, signal).finally(leave);
  return readAgain(deps, call, verdict, signal);
}

type Pending = Extract<ToolCallVerdict, { readonly kind: 'pending' }>;

/**
 * Reads the outcome after the wait. If the request is still undecided, no second request is created; if the caller has
 * disconnected, no approval is used up.
 */
async function readAgain(
  deps: PermissionCheckDeps,
  call: ToolCall,
  verdict: Pending,
  signal: AbortSignal,
): Promise<ToolCallVerdict> {
  const request = await readRequest(deps.db, verdict.request);
  if (signal.aborted || request.status === 'pending') return verdict;
  if (request.status === 'approved' || request.status === 'declined') return decideToolCall(deps, call);
  return { kind: 'declined', decision: verdict.decision, request };
}

async function readRequest(db: AnyDatabase, { accountId, id }: ApprovalRequest): Promise<ApprovalRequest> {
  const request = await findRequest(db, { accountId, id });
  if (request === undefined) throw new Error('the request no longer exists');
  return request;
}

async function presentVerdict(db: AnyDatabase, verdict: ToolCallVerdict): Promise<DecidedAnswer> {
  const request = 'request' in verdict ? verdict.request : undefined;
  const isPending = verdict.kind === 'pending';
  return {
    decision: isPending ? 'pending' : verdict.kind === 'allowed' || verdict.kind === 'approved' ? 'allow' : 'deny',
    reason: isPending ? `${explain(verdict)} ${await explainWait(db, verdict.request)}`.trimEnd() : explain(verdict),
    rule: verdict.decision.rule,
    condition_error: verdict.decision.conditionError,
    approval_request_id: request?.id ?? null,
    expires_at: isPending ? verdict.request.expiresAt : null,
    poll_after_seconds: isPending ? POLL_AFTER_SECONDS : null,
  };
}

/**
 * Returns a sentence that says who may still decide, or why the request cannot be approved; an empty string if it is no
 * longer pending.
 */
async function explainWait(db: AnyDatabase, request: ApprovalRequest): Promise<string> {
  const outlook = (await readOutlooks(db, [request])).get(request.id);
  return outlook === undefined ? '' : describeOutlook(outlook);
}

function explain(verdict: ToolCallVerdict): string {
  const { ruleDescription, conditionError } = verdict.decision;
  if (verdict.kind === 'allowed') return ruleDescription;
  if (verdict.kind === 'denied') {
    return conditionError === null ? ruleDescription : `${ruleDescription} (the condition failed: ${conditionError})`;
  }
  const { status, comment } = verdict.request;
  if (verdict.kind === 'pending')
    return `Waiting for approval: ${ruleDescription}${/[.!?]$/.test(ruleDescription) ? '' : '.'}`;
  return comment === null ? `The request was ${status}.` : `The request was ${status}: ${comment}`;
}
