import { decide, type Decision } from '@steward/slice-policies';
import { tightenForChange, type ToolCallDeps } from './decide-tool-call.ts';
import type { ToolCall } from './tool-call.ts';

/** What denies a call now, of one that was approved before. */
export async function findDenial(deps: ToolCallDeps, call: ToolCall): Promise<Decision | undefined> {
  const policy = await deps.policies.read(deps.db, call.accountId);
  const decision = tightenForChange(policy, call, decide(policy, { ...call, now: deps.clock.now() }));
  return decision.decision === 'deny' ? decision : undefined;
}
