import type { Decision } from '@steward/slice-policies';
import { countAndJudge, type ToolCallDeps } from './decide-tool-call.ts';
import type { ToolCall } from './tool-call.ts';

/** What denies a call now, of one that was approved before; one that is not denied is made, and counted. */
export async function findDenial(deps: ToolCallDeps, call: ToolCall): Promise<Decision | undefined> {
  const policy = await deps.policies.read(deps.db, call.accountId);
  const decision = await countAndJudge(deps, policy, call, ({ decision: action }) => action !== 'deny');
  return decision.decision === 'deny' ? decision : undefined;
}
