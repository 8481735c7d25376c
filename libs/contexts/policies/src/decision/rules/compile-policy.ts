import { LRUCache } from 'lru-cache';
import { compileCondition, type CompiledCondition } from '../../condition/rules/compile-condition.ts';
import { readsHistory } from '../../condition/rules/history-functions.ts';
import {
  readDefaults,
  type PolicyDocument,
  type PolicyRule,
  type RuleMatch,
} from '../../document/rules/policy-document.ts';
import type { ToolCallFacts } from './decision.ts';
import { compileGlob, compileToolPattern } from './glob.ts';
import { fold } from './read-tool-name.ts';

export interface CompiledRule {
  readonly id: string;
  readonly description: string;
  readonly action: PolicyRule['action'];
  readonly workflow: string | null;
  readonly humanOnly: boolean;
  readonly condition: { readonly text: string; readonly compiled: CompiledCondition | undefined } | undefined;
  readonly matchesTool: (server: string, tool: string) => boolean;
  /** Returns whether the rule matches a tool by its folded names (`fold`); both arguments must be folded. */
  readonly matchesFolded: (server: string, tool: string) => boolean;
  readonly matchesCaller: (facts: ToolCallFacts) => boolean;
}

/** A document compiled for decisions. */
export interface CompiledPolicy {
  readonly version: number;
  readonly defaults: ReturnType<typeof readDefaults>;
  readonly rules: readonly CompiledRule[];
  /** True if conditions of the document count earlier calls; if so, calls have to be recorded. */
  readonly readsHistory: boolean;
  /**
   * True if a condition may read the session of a call. In this case, a call cannot be decided before its session is
   * known.
   */
  readonly readsSession: boolean;
  /** Returns the rules that match a tool, in order, so that most conditions need not be evaluated. */
  readonly rulesOf: (server: string, tool: string) => readonly CompiledRule[];
  /**
   * Returns the rules that match a tool by its exact or folded names (`fold`). If no further rule matches, returns the
   * same array as `rulesOf`.
   */
  readonly rulesOfAnyCase: (server: string, tool: string) => readonly CompiledRule[];
}

interface RulesOfTool {
  readonly exact: readonly CompiledRule[];
  readonly folded: readonly CompiledRule[];
}

/** Number of tools of an account whose rules are cached. */
const MAX_TOOLS = 1_000;

export function compilePolicy(document: PolicyDocument, version: number): CompiledPolicy {
  const rules = (document.rules ?? []).map(compileRule);
  const byTool = new LRUCache<string, RulesOfTool>({ max: MAX_TOOLS });
  const find = (server: string, tool: string): RulesOfTool => {
    const key = JSON.stringify([server, tool]);
    const known = byTool.get(key);
    if (known !== undefined) return known;
    const [foldedServer, foldedTool] = [fold(server), fold(tool)];
    const exact = rules.filter(({ matchesTool }) => matchesTool(server, tool));
    const isExact = new Set(exact);
    const folded = rules.filter((rule) => isExact.has(rule) || rule.matchesFolded(foldedServer, foldedTool));
    const found = { exact, folded: folded.length === exact.length ? exact : folded };
    byTool.set(key, found);
    return found;
  };
  return {
    version,
    defaults: readDefaults(document),
    rules,
    readsHistory: (document.rules ?? []).some(({ condition = '' }) => readsHistory(condition)),
    readsSession: (document.rules ?? []).some(({ condition = '' }) => /\bsession\b/.test(condition)),
    rulesOf: (server, tool) => find(server, tool).exact,
    rulesOfAnyCase: (server, tool) => find(server, tool).folded,
  };
}

function compileRule({
  id,
  description,
  match = {},
  condition,
  action,
  workflow,
  human_only,
}: PolicyRule): CompiledRule {
  return {
    id,
    description: description ?? describeRule(id, action),
    action,
    workflow: workflow ?? null,
    humanOnly: human_only ?? false,
    condition: condition === undefined ? undefined : describeCondition(condition),
    matchesTool: compileTools(match.tools),
    matchesFolded: compileTools(match.tools?.map(fold)),
    matchesCaller: compileCaller(match),
  };
}

/**
 * Describes a condition that is compiled on first use, so that no call has to wait until all conditions of a document
 * are compiled: compiling a thousand takes a fifth of a second.
 */
function describeCondition(text: string): NonNullable<CompiledRule['condition']> {
  let isCompiled = false;
  let compiled: CompiledCondition | undefined;
  return {
    text,
    get compiled() {
      if (!isCompiled) compiled = compileCondition(text);
      isCompiled = true;
      return compiled;
    },
  };
}

/** Returns a description for a rule without one, because a caller whose call is denied always gets a reason. */
function describeRule(id: string, action: PolicyRule['action']): string {
  const what = { allow: 'allows the call', deny: 'denies the call', require_approval: 'asks for an approval' }[action];
  return `Rule ${id} ${what}.`;
}

function compileTools(patterns: readonly string[] = []): CompiledRule['matchesTool'] {
  if (patterns.length === 0) return () => true;
  const compiled = patterns.map(compileToolPattern);
  return (server, tool) => compiled.some((matches) => matches(server, tool));
}

function compileCaller({ agent_kinds, agent_tags, agents, api_keys, flows }: RuleMatch): CompiledRule['matchesCaller'] {
  const tests = [
    compileNames(agent_kinds, ({ agent }) => (agent === undefined ? [] : [agent.kind])),
    compileNames(agent_tags, ({ agent }) => agent?.tags ?? []),
    compileNames(agents, ({ agent }) => (agent === undefined ? [] : [agent.id, agent.name])),
    compileNames(api_keys, ({ apiKey }) => (apiKey === undefined ? [] : [apiKey.id, apiKey.name])),
    compileNames(flows, ({ execution }) =>
      execution === undefined ? [] : [execution.flowId, execution.flowName ?? execution.flowId],
    ),
  ].filter((test) => test !== undefined);
  return (facts) => tests.every((test) => test(facts));
}

/**
 * Compiles a list of names; returns undefined if the list restricts nothing. The pattern `*` also matches callers that
 * have no name of this kind.
 */
function compileNames(
  patterns: readonly string[] = [],
  read: (facts: ToolCallFacts) => readonly string[],
): ((facts: ToolCallFacts) => boolean) | undefined {
  if (patterns.length === 0 || patterns.includes('*')) return undefined;
  const compiled = patterns.map(compileGlob);
  return (facts) => read(facts).some((name) => compiled.some((matches) => matches(name)));
}
