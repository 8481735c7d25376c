import { compileCover, type PatternCover } from '../../decision/rules/glob.ts';
import type { PolicyRule } from './policy-document.ts';

export interface UnreachableRule {
  readonly index: number;
  readonly coveredBy: string;
}

export interface ReachJudgement {
  readonly unreachable: readonly UnreachableRule[];
  /**
   * Index of the first rule that was not checked, because the earlier rules required too many comparisons; undefined if
   * all rules were checked.
   */
  readonly notJudgedFrom: number | undefined;
  /** Number of comparisons made. */
  readonly comparisons: number;
}

/** Number of comparisons after which no more rules are checked; this many take a tenth of a second. */
export const MAX_COMPARISONS = 200_000;

/**
 * Finds rules that no call can reach, because an earlier rule matches all their calls. A rule is reported only if this
 * is certain: earlier rules with a condition other than `true` are ignored, because the condition may be false.
 */
export function findUnreachableRules(rules: readonly PolicyRule[]): ReachJudgement {
  const unreachable: UnreachableRule[] = [];
  const takers: Match[] = [];
  const count = { comparisons: 0 };
  for (const [index, rule] of rules.entries()) {
    const match = readMatch(rule);
    let taker: Match | undefined;
    for (const earlier of takers) {
      if (count.comparisons > MAX_COMPARISONS) return { unreachable, notJudgedFrom: index, ...count };
      if (coversMatch(earlier, match, count)) {
        taker = earlier;
        break;
      }
    }
    if (taker !== undefined) unreachable.push({ index, coveredBy: taker.id });
    else if (rule.condition === undefined || rule.condition.trim() === 'true') takers.push(match);
  }
  return { unreachable, notJudgedFrom: undefined, ...count };
}

interface Count {
  comparisons: number;
}

/** Data of a rule, prepared once because it is compared with every later rule. */
interface Match {
  readonly id: string;
  /** The tool patterns of the rule; an empty list matches every tool. */
  readonly tools: readonly PatternCover[];
  /** One set of names for each list of the rule; undefined means any caller. */
  readonly names: readonly (ReadonlySet<string> | undefined)[];
}

const EVERY_TOOL = [compileCover('*')];

function readMatch({ id, match = {} }: PolicyRule): Match {
  const { tools = [], agent_kinds, agent_tags, agents, api_keys, flows } = match;
  const lists = [agent_kinds, agent_tags, agents, api_keys, flows];
  const names = lists.map((list = []) => (list.length === 0 || list.includes('*') ? undefined : new Set(list)));
  return { id, tools: tools.map(compileCover), names };
}

function coversMatch(wide: Match, narrow: Match, count: Count): boolean {
  count.comparisons += 1;
  return (
    wide.names.every((names, place) => coversNames(names, narrow.names[place], count)) &&
    coversTools(wide.tools, narrow.tools, count)
  );
}

function coversTools(wide: readonly PatternCover[], narrow: readonly PatternCover[], count: Count): boolean {
  if (wide.length === 0) return true;
  const patterns = narrow.length === 0 ? EVERY_TOOL : narrow;
  return patterns.every(({ forms }) =>
    wide.some(({ covers }) => {
      count.comparisons += 1;
      return covers(forms);
    }),
  );
}

function coversNames(
  wide: ReadonlySet<string> | undefined,
  narrow: ReadonlySet<string> | undefined,
  count: Count,
): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined || narrow.size > wide.size) return false;
  count.comparisons += narrow.size;
  return [...narrow].every((name) => wide.has(name));
}
