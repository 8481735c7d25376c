/**
 * Tool calls: the policy decision about a call, and its consequences in the same transaction: an event, an approval
 * request, or the use of an approval. The only entry point for every surface on which agents request calls.
 *
 * Not here: HTTP and MCP (surfaces), running a tool, the rules of policies and approvals themselves (their contexts).
 * Used by: api-gateway, for MCP; the API of the agents context, for permission checks and notes.
 */
export { createConditionTime } from './create-condition-time.ts';
export { allowWithoutSession, askOperator, decideToolCall, type ToolCallDeps } from './decide-tool-call.ts';
export { findDenial } from './find-denial.ts';
export { findHeldRequest } from './find-held-request.ts';
export { takeApprovedRun } from './take-approved-run.ts';
export { isCallerOf } from './describe-held-call.ts';
export type { CallContext, ToolCall, ToolCallVerdict } from './tool-call.ts';
export { describeCaller } from './describe-caller.ts';
export { requireSessionFound } from './require-session.ts';
