/**
 * Tool calls: what a policy says to a call, and what follows from it in the same transaction: an event, a request for an
 * approval, or that an approval went with it. The one way in for every door at which agents ask.
 *
 * Not here: HTTP and MCP (doors), running a tool, the rules of policies and approvals themselves (their slices).
 * Used by: api-gateway.
 */
export { createConditionTime } from './create-condition-time.ts';
export { askOperator, decideToolCall, type ToolCallDeps } from './decide-tool-call.ts';
export { findDenial } from './find-denial.ts';
export { takeApprovedRun } from './take-approved-run.ts';
export { isCallerOf } from './describe-held-call.ts';
export type { CallContext, ToolCall, ToolCallVerdict } from './tool-call.ts';
