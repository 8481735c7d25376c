import {
  bindTool,
  bindVariables,
  type ConditionBindings,
  type ConditionVariables,
} from '../../condition/rules/compile-condition.ts';
import { MAX_ARGUMENT_BYTES, MAX_DECISION_WORK } from '../../condition/rules/condition-limits.ts';
import { measureArguments, type ArgumentSize } from '../../condition/rules/condition-work.ts';
import { countHistory } from '../../condition/rules/history-functions.ts';
import { createShellMeter } from '../../condition/rules/shell-functions.ts';
import { holdsUnreadableNumber } from '../../condition/rules/to-cel-value.ts';
import type { CompiledPolicy, CompiledRule } from './compile-policy.ts';
import type { Decision, RuleTrace, ToolCallFacts } from './decision.ts';
import { fold, type ToolName } from './read-tool-name.ts';

/**
 * Returns the decision of a policy on a call: that of the first rule that matches, or the default. All surfaces use
 * only this function for decisions. It reads only its input, so that the same call under the same document is always
 * decided the same way.
 *
 * A condition that fails (for example, because of a missing argument, a wrong type or too much work) is treated
 * strictly: as true for `deny` and `require_approval`, and as false for `allow`. Names are treated strictly as well: if
 * the rules deny or hold a tool whose name differs only in case, blanks or invisible characters, or another tool to
 * which the client may have referred, the call is denied or held (POL-27).
 */
export function decide(policy: CompiledPolicy, facts: ToolCallFacts): Decision {
  const judge = createJudge(facts);
  const { tool, otherReadings = [] } = facts;
  const exact = policy.rulesOf(tool.server, tool.name);
  let decision = findFirst(policy, exact, (rule) => judge(rule, tool)) ?? buildDefault(policy);
  for (const reading of [tool, ...otherReadings]) {
    if (decision.decision === 'deny') break;
    const rules = policy.rulesOfAnyCase(reading.server, reading.name);
    if (rules === exact) continue;
    // Rules are evaluated in order; a rule with `allow` applies only to the exact tool that it names.
    const strict = rules.filter((rule) => rule.action !== 'allow' || rule.matchesTool(reading.server, reading.name));
    const other = findFirst(policy, strict, (rule) => judge(rule, reading));
    if (other !== undefined && STRICTNESS[other.decision] > STRICTNESS[decision.decision]) decision = other;
  }
  return decision;
}

const STRICTNESS = { allow: 0, require_approval: 1, deny: 2 };

function findFirst(
  policy: CompiledPolicy,
  rules: readonly CompiledRule[],
  judge: (rule: CompiledRule) => Verdict,
): Decision | undefined {
  for (const rule of rules) {
    const verdict = judge(rule);
    if (verdict.matched) return buildDecision(policy, rule, verdict);
  }
  return undefined;
}

/**
 * Decides a call as `decide` does, but also returns the result of every rule, including those after the deciding one.
 */
export function traceDecision(
  policy: CompiledPolicy,
  facts: ToolCallFacts,
): { readonly decision: Decision; readonly trace: readonly RuleTrace[] } {
  const judge = createJudge(facts);
  const trace = policy.rules.map((rule): RuleTrace => {
    const { id, description } = rule;
    const reading = findReading(rule, facts);
    if (reading === undefined) return { id, description, matched: false, conditionValue: null, error: null };
    const { matched, value, error } = judge(rule, reading);
    return { id, description, matched, conditionValue: value, error };
  });
  return { decision: decide(policy, facts), trace };
}

/**
 * Returns the tool to which the rule applies: for an allow rule only the most likely one, for other rules any possible
 * one; undefined if it applies to none of them.
 */
function findReading({ action, matchesTool, matchesFolded }: CompiledRule, facts: ToolCallFacts): ToolName | undefined {
  const { tool, otherReadings = [] } = facts;
  if (matchesTool(tool.server, tool.name)) return tool;
  if (action === 'allow') return undefined;
  return [tool, ...otherReadings].find(({ server, name }) => matchesFolded(fold(server), fold(name)));
}

interface Verdict {
  readonly matched: boolean;
  readonly value: boolean | null;
  readonly error: string | null;
}

/** Creates a function that evaluates rules for one decision; the conditions of these rules share one cost limit. */
function createJudge(facts: ToolCallFacts): (rule: CompiledRule, tool: ToolName) => Verdict {
  let size: ArgumentSize | undefined;
  const variables = describeFacts(facts);
  const plain = { ...variables, session: { ...variables.session, ...countHistory(facts.history) } };
  let bound: ConditionBindings | undefined;
  let isUnreadable: boolean | undefined;
  let work = 0;
  return (rule, tool) => {
    if (!rule.matchesCaller(facts)) return { matched: false, value: null, error: null };
    if (rule.condition === undefined) return { matched: true, value: null, error: null };
    const { compiled } = rule.condition;
    if (compiled === undefined) return fail(rule, 'the condition is not valid');
    size ??= { ...measureArguments(facts.args), measureShell: createShellMeter(facts.args) };
    isUnreadable ??= holdsUnreadableNumber(facts.args);
    if (isUnreadable) return fail(rule, 'the arguments contain a number that conditions cannot represent exactly');
    if (size.bytes > MAX_ARGUMENT_BYTES) return fail(rule, 'the arguments are larger than 256 KiB');
    work += compiled.estimateWork(size);
    if (work > MAX_DECISION_WORK) return fail(rule, 'the conditions would take too long for arguments of this size');
    const isMeant = tool === facts.tool;
    const known = compiled.evaluatePlain(isMeant ? plain : { ...plain, tool });
    if (known !== undefined) return { matched: known, value: known, error: null };
    bound ??= bindVariables(variables, facts.history);
    const outcome = compiled.evaluate(isMeant ? bound : { ...bound, ...bindTool(tool) });
    if (outcome.kind === 'error') return fail(rule, outcome.message);
    return { matched: outcome.value, value: outcome.value, error: null };
  };
}

function fail({ action }: CompiledRule, error: string): Verdict {
  return { matched: action !== 'allow', value: null, error };
}

/**
 * Returns the facts as variables of conditions. Without an agent, session, user or execution, their fields are empty,
 * so that a condition on agents, for example, does not fail for other callers.
 */
function describeFacts({ args, tool, agent, session, user, execution, now }: ToolCallFacts): ConditionVariables {
  return {
    args,
    tool,
    agent: agent ?? { id: '', kind: '', name: '', tags: [] },
    session: { id: session?.id ?? '', source_type: session?.sourceType ?? '' },
    user: user ?? { id: '', username: '' },
    execution: { id: execution?.id ?? '', flow_id: execution?.flowId ?? '' },
    now,
  };
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
