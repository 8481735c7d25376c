import type { CompiledPolicy } from './compile-policy.ts';
import type { ToolCallFacts } from './decision.ts';

/** Returns whether this caller's calls of a tool are denied for all arguments: such tools need not be listed. */
export function deniesAlways(policy: CompiledPolicy, facts: Omit<ToolCallFacts, 'args' | 'now'>): boolean {
  const { server, name } = facts.tool;
  for (const rule of policy.rulesOf(server, name)) {
    if (!rule.matchesCaller({ ...facts, args: {}, now: new Date(0) })) continue;
    // A rule with another action may decide some of the calls, so the tool is not always denied. A `deny` rule with a
    // condition decides only for some arguments, so the rules after it count too.
    if (rule.action !== 'deny') return false;
    if (rule.condition === undefined) return true;
  }
  return policy.defaults.action === 'deny';
}
