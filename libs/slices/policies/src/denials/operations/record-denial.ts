import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent, type EmitOptions, type EmitOutcome } from '@steward/slice-webhooks';
import type { Decision } from '../../decision/rules/decision.ts';

export interface DeniedCall {
  readonly accountId: string;
  /** As agents call it: `server/tool`, of local tools the name alone. */
  readonly toolName: string;
  readonly decision: Decision;
  readonly executionId: string | null;
  readonly userId: string | null;
  /** The request's id: repeats of one correlation id under one rule are one event. */
  readonly correlationId: string;
  readonly occurredAt: Date;
}

/** Emits `policy.denied` in the transaction that records the decision. No argument of the call is in it. */
export function recordDenial(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, toolName, decision, executionId, userId, correlationId, occurredAt }: DeniedCall,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const rule = decision.rule?.id ?? 'default';
  const event = {
    type: 'policy.denied' as const,
    id: deterministicId('policy.denied', accountId, correlationId, rule),
    accountId,
    occurredAt,
    data: {
      tool_name: toolName,
      decision: 'deny' as const,
      rule_description: decision.ruleDescription,
      condition_matched: decision.conditionMatched,
      execution_id: executionId,
      user_id: userId,
      correlation_id: correlationId,
    },
  };
  return emitEvent(trx, hints, event, options);
}
