import type { Decision } from '@steward/policies';
import { judgeInForce, type ToolCallDeps } from './decide-tool-call.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * Checks whether a previously approved call is denied now, and returns the denial; otherwise, the call is counted and
 * will be made.
 */
export async function findDenial(deps: ToolCallDeps, call: ToolCall): Promise<Decision | undefined> {
  const { decision } = await judgeInForce(deps, call, ({ decision: action }) => action !== 'deny');
  return decision.decision === 'deny' ? decision : undefined;
}
