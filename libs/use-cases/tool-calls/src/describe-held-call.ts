import { maskCredentials, maskJson } from '@steward/masking';
import type { ApprovalRequest, HeldCall } from '@steward/approvals';
import type { Decision } from '@steward/policies';
import { toReadableJson, toStorableJson, toStorableText } from '@steward/text';
import type { ToolCall } from './tool-call.ts';

const MAX_REASONING = 4_000;

/** Describes a held call for approvers, from the call and the rule that requires the approval. */
export function describeHeldCall(call: ToolCall, decision: Decision): HeldCall {
  const { reasoning } = call;
  return {
    ...describeContext(call),
    ...describeIdentity(call),
    maskedArguments: toStorableJson(maskJson(toReadableJson(call.args))),
    summary: summarize(call),
    reasoning: reasoning === null ? null : toStorableText(maskCredentials(reasoning)).slice(0, MAX_REASONING),
    workflow: decision.workflow,
    humanOnly: decision.humanOnly,
    rule: {
      source: decision.rule === null ? 'default' : 'policy',
      rule_id: decision.rule?.id ?? null,
      rule_name: decision.ruleDescription,
      expression: decision.conditionMatched,
    },
    policyVersion: decision.policyVersion,
  };
}

/** Returns the parts of a call that identify it: a repeat with the same parts is the same call. */
export function describeIdentity(call: ToolCall) {
  const { tool, args, definitionHash } = call;
  const caller = describeCaller(call);
  return { caller, toolName: tool.name, server: tool.server, definitionHash: definitionHash ?? null, arguments: args };
}

function describeContext({ accountId, requesterUserId, agent, apiKey, context }: ToolCall) {
  return {
    accountId,
    requesterUserId,
    apiKeyId: apiKey?.id ?? null,
    managedAgentId: agent?.id ?? null,
    managedAgentName: agent?.name ?? null,
    runtimeSessionId: context.sessionId ?? null,
    executionId: context.executionId ?? null,
  };
}

/** Returns one sentence for lists and messages, without the arguments. */
function summarize({ tool, agent, user }: ToolCall): string {
  const who = agent?.name ?? user?.username ?? 'An agent';
  const what = tool.server === 'local' ? tool.name : `${tool.server}/${tool.name}`;
  return toStorableText(`${who} wants to call ${what}`);
}

/**
 * Returns the caller: the execution if there is one, otherwise the API key, otherwise the user. An approval is valid
 * only for that caller.
 */
function describeCaller({ execution, apiKey, requesterUserId }: ToolCall): string {
  if (execution !== undefined) return `execution:${execution.id}`;
  return apiKey === undefined ? `user:${requesterUserId}` : `api_key:${apiKey.id}`;
}

/** Returns true if this caller made the request: only that caller learns the outcome and may use the approval. */
export function isCallerOf(
  { execution, apiKey, requesterUserId }: Pick<ToolCall, 'execution' | 'apiKey' | 'requesterUserId'>,
  request: Pick<ApprovalRequest, 'executionId' | 'apiKeyId' | 'requesterUserId'>,
): boolean {
  if (request.apiKeyId !== (apiKey?.id ?? null)) return false;
  if (apiKey !== undefined) return true;
  // A user may name an execution in a call, but the request then belongs to the user, not to the run.
  if (request.requesterUserId !== requesterUserId) return false;
  return execution === undefined || request.executionId === execution.id;
}
