import type { RecordedToolCall } from '@steward/contracts';
import type { CompiledPolicy } from '../../decision/rules/compile-policy.ts';
import { decide } from '../../decision/rules/decide.ts';
import type { ToolCallFacts } from '../../decision/rules/decision.ts';
import { readToolName } from '../../decision/rules/read-tool-name.ts';
import type { BacktestTallies, ChangedExample } from '../backtest.ts';

/** Number of examples that a backtest stores, newest first. */
export const MAX_EXAMPLES = 50;

/** Undefined means no policy: the recorded call was allowed. */
export interface ComparedPolicies {
  readonly before: CompiledPolicy | undefined;
  readonly after: CompiledPolicy;
}

/** Adds one call to the sums. The sums depend only on the call and the documents. */
export function tallyCall(
  sums: BacktestTallies,
  call: RecordedToolCall,
  { before, after }: ComparedPolicies,
): BacktestTallies {
  const facts = toFacts(call);
  const decision = decide(after, facts);
  const old = before === undefined ? 'allow' : decide(before, facts).decision;
  const hasChanged = decision.decision !== old;
  const example = (): ChangedExample => ({
    tool_call_id: call.id,
    runtime_session_id: call.sessionId,
    occurred_at: call.occurredAt.toISOString(),
    tool_name: call.toolName,
    before: old,
    after: decision.decision,
    rule_id: decision.rule?.id ?? null,
  });
  return {
    examined: sums.examined + 1,
    withoutArguments: sums.withoutArguments + (call.arguments === undefined ? 1 : 0),
    allowed: sums.allowed + (decision.decision === 'allow' ? 1 : 0),
    denied: sums.denied + (decision.decision === 'deny' ? 1 : 0),
    held: sums.held + (decision.decision === 'require_approval' ? 1 : 0),
    changed: sums.changed + (hasChanged ? 1 : 0),
    examples: hasChanged && sums.examples.length < MAX_EXAMPLES ? [...sums.examples, example()] : sums.examples,
  };
}

/** Facts about the caller from the session: they do not include the person, nor the kind or tags of agents. */
function toFacts(call: RecordedToolCall): ToolCallFacts {
  return {
    ...readToolName({ name: call.toolName }),
    args: call.arguments ?? {},
    session: { id: call.sessionId, sourceType: call.session.sourceType },
    now: call.occurredAt,
    ...(call.agent === undefined ? {} : { agent: { ...call.agent, kind: '', tags: [] } }),
    ...(call.apiKeyId === null ? {} : { apiKey: { id: call.apiKeyId, name: '' } }),
    ...(call.execution === undefined ? {} : { execution: call.execution }),
  };
}
