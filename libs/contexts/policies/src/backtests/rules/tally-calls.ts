import type { RecordedToolCall } from '@steward/contracts';
import type { CompiledPolicy } from '../../decision/rules/compile-policy.ts';
import { decide } from '../../decision/rules/decide.ts';
import { readToolName } from '../../decision/rules/read-tool-name.ts';
import type { Decision, ToolCallFacts } from '../../decision/rules/decision.ts';
import type { BacktestCounts, BacktestTallies, ChangedExample, RuleCounts } from '../backtest.ts';

/** Maximum number of examples that a backtest stores: those of the newest calls. */
export const MAX_EXAMPLES = 50;

/**
 * The two policies to compare; if `before` is undefined, the baseline is the recorded outcome, which counts as `allow`
 * for every call.
 */
export interface ComparedPolicies {
  readonly before: CompiledPolicy | undefined;
  readonly after: CompiledPolicy;
}

/** Returns counts of zero for every rule, so that rules that decide nothing are listed as well. */
export function startCounts({ before, after }: ComparedPolicies): BacktestCounts {
  const ids = [...after.rules.map(({ id }) => id), null];
  const removed = (before?.rules ?? []).map(({ id }) => id).filter((id) => !ids.includes(id));
  return {
    before: { allow: 0, deny: 0, require_approval: 0 },
    rules: [...ids, ...removed].map((id) => ({ rule_id: id, before: 0, after: 0, changed: 0 })),
  };
}

/** Adds one call to the sums. The added values depend only on the call and the documents. */
export function tallyCall(
  sums: BacktestTallies,
  call: RecordedToolCall,
  { before, after }: ComparedPolicies,
): BacktestTallies {
  const facts = toFacts(call);
  const decision = decide(after, facts);
  const former = before === undefined ? undefined : decide(before, facts);
  const old = former?.decision ?? 'allow';
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
    counts: sums.counts === null ? null : addToCounts(sums.counts, { former, old, decision, hasChanged }),
  };
}

interface Compared {
  readonly former: Decision | undefined;
  readonly old: Decision['decision'];
  readonly decision: Decision;
  readonly hasChanged: boolean;
}

function addToCounts(counts: BacktestCounts, { former, old, decision, hasChanged }: Compared): BacktestCounts {
  const add = (rule: RuleCounts): RuleCounts => {
    const wasBefore = former !== undefined && (former.rule?.id ?? null) === rule.rule_id;
    const isAfter = (decision.rule?.id ?? null) === rule.rule_id;
    if (!wasBefore && !isAfter) return rule;
    return {
      rule_id: rule.rule_id,
      before: rule.before + (wasBefore ? 1 : 0),
      after: rule.after + (isAfter ? 1 : 0),
      changed: rule.changed + (isAfter && hasChanged ? 1 : 0),
    };
  };
  return { before: { ...counts.before, [old]: counts.before[old] + 1 }, rules: counts.rules.map(add) };
}

/**
 * Returns the facts about a recorded call. They lack the user, the agent's kind and tags, the names of the API key and
 * the flow, and the earlier calls.
 */
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
