import { bindVariables, type ConditionBindings } from '../../condition/rules/compile-condition.ts';
import { MAX_ARGUMENT_BYTES, MAX_DECISION_WORK } from '../../condition/rules/condition-limits.ts';
import { measureArguments, type ArgumentSize } from '../../condition/rules/condition-work.ts';
import type { CompiledPolicy, CompiledRule } from './compile-policy.ts';
import type { Decision, RuleTrace, ToolCallFacts } from './decision.ts';

/**
 * What a policy says to a call: the first rule that matches. The one function every door asks; it reads nothing but what it
 * is given, so that the same call under the same document is decided the same everywhere.
 *
 * A condition that fails (a missing argument, a wrong type, too much work) is read strictly: it holds for `deny` and
 * `require_approval` and does not hold for `allow`.
 */
export function decide(policy: CompiledPolicy, facts: ToolCallFacts): Decision {
  const judge = createJudge(facts);
  for (const rule of policy.rulesOf(facts.tool.server, facts.tool.name)) {
    const verdict = judge(rule);
    if (verdict.matched) return buildDecision(policy, rule, verdict);
  }
  return buildDefault(policy);
}

/** `decide`, with what every rule said: those after the deciding one are looked at, too. */
export function traceDecision(
  policy: CompiledPolicy,
  facts: ToolCallFacts,
): { readonly decision: Decision; readonly trace: readonly RuleTrace[] } {
  const judge = createJudge(facts);
  const trace = policy.rules.map((rule): RuleTrace => {
    const { id, description } = rule;
    if (!rule.matchesTool(facts.tool.server, facts.tool.name))
      return { id, description, matched: false, conditionValue: null, error: null };
    const { matched, value, error } = judge(rule);
    return { id, description, matched, conditionValue: value, error };
  });
  return { decision: decide(policy, facts), trace };
}

interface Verdict {
  readonly matched: boolean;
  readonly value: boolean | null;
  readonly error: string | null;
}

/** Judges the rules of one decision in their order: what conditions may cost is theirs together. */
function createJudge(facts: ToolCallFacts): (rule: CompiledRule) => Verdict {
  let size: ArgumentSize | undefined;
  let bindings: ConditionBindings | undefined;
  let work = 0;
  return (rule) => {
    if (!rule.matchesCaller(facts)) return { matched: false, value: null, error: null };
    if (rule.condition === undefined) return { matched: true, value: null, error: null };
    const { compiled } = rule.condition;
    if (compiled === undefined) return fail(rule, 'the condition cannot be read');
    size ??= measureArguments(facts.args);
    if (size.bytes > MAX_ARGUMENT_BYTES) return fail(rule, 'the arguments are larger than 256 KiB');
    work += compiled.estimateWork(size);
    if (work > MAX_DECISION_WORK) return fail(rule, 'the conditions would take too long on arguments of this size');
    bindings ??= bindFacts(facts);
    const outcome = compiled.evaluate(bindings);
    if (outcome.kind === 'error') return fail(rule, outcome.message);
    return { matched: outcome.value, value: outcome.value, error: null };
  };
}

function fail({ action }: CompiledRule, error: string): Verdict {
  return { matched: action !== 'allow', value: null, error };
}

/** Where there is no agent, user or execution its fields are empty, so that a rule about agents fails for nobody else. */
function bindFacts({ args, tool, agent, session, user, execution, now }: ToolCallFacts): ConditionBindings {
  return bindVariables({
    args,
    tool,
    agent: agent ?? { id: '', kind: '', name: '', tags: [] },
    session: { id: session?.id ?? '', source_type: session?.sourceType ?? '' },
    user: user ?? { id: '', username: '' },
    execution: { id: execution?.id ?? '', flow_id: execution?.flowId ?? '' },
    now,
  });
}

function buildDecision({ version, defaults }: CompiledPolicy, rule: CompiledRule, { error }: Verdict): Decision {
  const { id, description, action, condition } = rule;
  return {
    decision: action,
    rule: { version, id, description },
    ruleDescription: description,
    conditionMatched: condition?.text ?? null,
    conditionError: error,
    policyVersion: version,
    workflow: action === 'require_approval' ? (rule.workflow ?? defaults.workflow) : null,
    humanOnly: rule.humanOnly,
  };
}

function buildDefault({ version, defaults }: CompiledPolicy): Decision {
  const what = { allow: 'allowed', deny: 'denied', require_approval: 'held for an approval' }[defaults.action];
  return {
    decision: defaults.action,
    rule: null,
    ruleDescription: `Default: a call that no rule matches is ${what}.`,
    conditionMatched: null,
    conditionError: null,
    policyVersion: version,
    workflow: defaults.action === 'require_approval' ? defaults.workflow : null,
    humanOnly: false,
  };
}
