import type { CompiledPolicy } from './compile-policy.ts';
import type { ToolCallFacts } from './decision.ts';

/** Whether this caller's calls of a tool are denied for any arguments: such tools need not be listed. */
export function deniesAlways(policy: CompiledPolicy, facts: Omit<ToolCallFacts, 'args' | 'now'>): boolean {
  const { server, name } = facts.tool;
  for (const rule of policy.rulesOf(server, name)) {
    if (!rule.matchesCaller({ ...facts, args: {}, now: new Date(0) })) continue;
    // A condition may be true or false: if the call is allowed in one of the two cases, the denial is not certain.
    if (rule.action !== 'deny') return false;
    if (rule.condition === undefined) return true;
  }
  return policy.defaults.action === 'deny';
}
