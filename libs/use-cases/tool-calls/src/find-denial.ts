import type { Decision } from '@steward/policies';
import { countAndJudge, type ToolCallDeps } from './decide-tool-call.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * Finds a current denial of a call that was approved before; if there is none, the call is counted and will be made.
 */
export async function findDenial(deps: ToolCallDeps, call: ToolCall): Promise<Decision | undefined> {
  const policy = await deps.policies.read(deps.db, call.accountId);
  const decision = await countAndJudge(deps, policy, call, ({ decision: action }) => action !== 'deny');
  return decision.decision === 'deny' ? decision : undefined;
}
