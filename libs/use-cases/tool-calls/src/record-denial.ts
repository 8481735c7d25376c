import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { Decision } from '@steward/policies';
import { emitEvent, type EmitOptions } from '@steward/webhooks';
import { toStorableText } from '@steward/text';
import type { ToolCall } from './tool-call.ts';

/**
 * Emits an event about the denial of a call, with its rule but without its arguments. If a client repeats a request
 * with the same id, only one event is emitted for each rule, because the event's id is derived from the request's id
 * and the rule.
 */
export async function recordDenial(
  trx: AnyTransaction,
  hints: HintSink,
  { call, decision, now }: { readonly call: ToolCall; readonly decision: Decision; readonly now: Date },
  options: EmitOptions,
): Promise<void> {
  const { accountId, correlationId, tool, context, user } = call;
  const { rule, ruleDescription, conditionMatched, policyVersion } = decision;
  const type = 'policy.denied';
  const id = deterministicId(type, accountId, correlationId, rule?.id ?? '');
  const data = {
    tool_name: tool.name,
    decision: 'deny' as const,
    rule_description: toStorableText(ruleDescription),
    condition_matched: conditionMatched,
    execution_id: context.executionId ?? null,
    user_id: user?.id ?? null,
    correlation_id: correlationId,
    policy_version: policyVersion,
  };
  await emitEvent(trx, hints, { type, id, accountId, occurredAt: now, data }, options);
}
