import type { CompiledPolicy } from './compile-policy.ts';
import type { ToolCallFacts } from './decision.ts';

/** Whether this caller's calls of a tool are denied whatever their arguments: what is not allowed need not be shown. */
export function deniesAlways(policy: CompiledPolicy, facts: Omit<ToolCallFacts, 'args' | 'now'>): boolean {
  const { server, name } = facts.tool;
  for (const rule of policy.rulesOf(server, name)) {
    if (!rule.matchesCaller({ ...facts, args: {}, now: new Date(0) })) continue;
    // A condition may hold or not: where one of them would let the call through, it is not denied for certain.
    if (rule.action !== 'deny') return false;
    if (rule.condition === undefined) return true;
  }
  return policy.defaults.action === 'deny';
}
