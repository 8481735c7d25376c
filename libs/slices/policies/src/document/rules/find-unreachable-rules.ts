import { coversPattern } from '../../decision/rules/glob.ts';
import type { PolicyRule, RuleMatch } from './policy-document.ts';

export interface UnreachableRule {
  readonly index: number;
  readonly coveredBy: string;
}

/** Rules of a document looked at; each is held against those before it. */
const MAX_PAIRS = 50_000;

/**
 * Rules whose every call an earlier one takes. Only what is certain: an earlier rule with a condition may always let a call
 * through.
 */
export function findUnreachableRules(rules: readonly PolicyRule[]): UnreachableRule[] {
  const found: UnreachableRule[] = [];
  const takers: PolicyRule[] = [];
  let pairs = 0;
  for (const [index, rule] of rules.entries()) {
    pairs += takers.length;
    if (pairs > MAX_PAIRS) return found;
    const taker = takers.find((earlier) => coversMatch(earlier.match ?? {}, rule.match ?? {}));
    if (taker !== undefined) found.push({ index, coveredBy: taker.id });
    else if (rule.condition === undefined || rule.condition.trim() === 'true') takers.push(rule);
  }
  return found;
}

function coversMatch(wide: RuleMatch, narrow: RuleMatch): boolean {
  return (
    coversNames(wide.agent_kinds, narrow.agent_kinds) &&
    coversNames(wide.agent_tags, narrow.agent_tags) &&
    coversNames(wide.agents, narrow.agents) &&
    coversNames(wide.api_keys, narrow.api_keys) &&
    coversNames(wide.flows, narrow.flows) &&
    coversTools(wide.tools ?? [], narrow.tools ?? [])
  );
}

function coversTools(wide: readonly string[], narrow: readonly string[]): boolean {
  const patterns = narrow.length === 0 ? ['*'] : narrow;
  return wide.length === 0 || patterns.every((pattern) => wide.some((one) => coversPattern(one, pattern)));
}

function coversNames(wide: readonly string[] = [], narrow: readonly string[] = []): boolean {
  if (wide.length === 0 || wide.includes('*')) return true;
  return narrow.length > 0 && narrow.every((name) => wide.includes(name));
}
